import {
  applicationErrors,
  maxApplications,
  maxOwnedApplications,
  notFound,
  type OAuthScope,
  readScopes,
  splitRedirectUris,
  validationFailed,
} from '@stithy/core'
import {
  type ApplicationRow,
  type ApplicationSettings,
  countApplications,
  countApplicationsOf,
  deleteApplicationRow,
  deleteGrantsOf,
  enqueueJob,
  findApplicationOf,
  hideApplication,
  insertApplication,
  lockUser,
  type OwnedApplication,
  type Transaction,
  toFlag,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'
import { hashSecret, newSecret } from '../authentication/secret.ts'

/** Kind of the job that removes what a deleted application was granted. */
export const removeApplicationKind = 'oauth.remove-application'

export interface ApplicationRequest {
  name: string
  /** One URI in each line. */
  redirectUri: string
  /** Separated by spaces. */
  scopes: string
  confidential: boolean
}

/** Whose an application is: of the instance, or of a user, whose applications are never trusted. */
export type ApplicationOrigin =
  | { ownerId: null; trusted: boolean }
  | { ownerId: number; trusted: false }

/**
 * Creates an application. Only the hash of its secret is stored; `secret` is the only time it is
 * readable.
 * @throws DomainError `validation_failed`
 */
export async function createApplication(
  app: App,
  request: ApplicationRequest,
  { ownerId, trusted }: ApplicationOrigin,
): Promise<ApplicationRow & { secret: string }> {
  const settings = readSettings(request, ownerId !== null)
  const secret = newSecret()
  const values = {
    ...settings,
    ownerId,
    uid: newSecret(),
    secretHash: hashSecret(secret),
    trusted: toFlag(trusted),
    createdAt: app.now(),
  }
  const row = await app.db.transaction(async (tx) => {
    await requireRoom(tx, ownerId)
    const row = await insertApplication(tx, values)
    const created = { applicationId: row.id, ownerId, name: row.name }
    const by = changeByCaller(app.now())
    await recordChange(tx, { kind: 'application.created', ...by, ...created })
    return row
  })
  return { ...row, secret }
}

/**
 * Reads what an application is registered with.
 * @param owned whether it is, or will be, that of a user
 * @throws DomainError `validation_failed`
 */
export function readSettings(
  { name, redirectUri, scopes, confidential }: ApplicationRequest,
  owned: boolean,
): ApplicationSettings & { scopes: readonly OAuthScope[] } {
  const redirectUris = splitRedirectUris(redirectUri)
  const errors = applicationErrors({ name, redirectUris, scopes, owned })
  if (errors !== undefined) throw validationFailed(errors)
  return {
    name,
    redirectUris,
    scopes: readScopes(scopes) ?? [],
    confidential: toFlag(confidential),
  }
}

/** @throws DomainError `validation_failed` for one application too many */
async function requireRoom(tx: Transaction, ownerId: number | null): Promise<void> {
  // A user who is locked registers one at a time, and cannot be deleted meanwhile.
  if (ownerId !== null && !(await lockUser(tx, ownerId))) throw notFound('User')
  const [count, max] =
    ownerId === null
      ? [await countApplications(tx), maxApplications]
      : [await countApplicationsOf(tx, ownerId), maxOwnedApplications]
  if (count < max) return
  throw validationFailed({ base: [`Maximum number of applications (${max}) exceeded`] })
}

/**
 * Deletes an application, whose tokens stop working at once; that of a user as well.
 * @throws DomainError `not_found`
 */
export async function deleteApplication(app: App, id: number): Promise<void> {
  await app.db.transaction((tx) => deleteIn(tx, id, app.now()))
}

/** Deletes an application of a user. @throws DomainError `not_found` */
export async function deleteApplicationOf(app: App, application: OwnedApplication): Promise<void> {
  await app.db.transaction(async (tx) => {
    if ((await findApplicationOf(tx, application)) === undefined) throw notFound('Application')
    await deleteIn(tx, application.id, app.now())
  })
}

async function deleteIn(tx: Transaction, applicationId: number, now: number): Promise<void> {
  const hidden = await hideApplication(tx, { id: applicationId, now })
  if (hidden === undefined) throw notFound('Application')
  const { ownerId, name } = hidden
  const deleted = { applicationId, ownerId, name }
  await recordChange(tx, { kind: 'application.deleted', ...changeByCaller(now), ...deleted })
  const job = { queue: 'maintenance', kind: removeApplicationKind, payload: { applicationId } }
  await enqueueJob(tx, job, now)
}

/** Removes what a deleted application was granted, and its row; may be run again. */
export async function removeApplication(app: App, applicationId: number): Promise<void> {
  await inBatches((limit) =>
    app.db.transaction((tx) => deleteGrantsOf(tx, { applicationId, limit })),
  )
  await app.db.transaction((tx) => deleteApplicationRow(tx, applicationId))
}
