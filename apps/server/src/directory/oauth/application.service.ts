import {
  applicationErrors,
  maxApplications,
  notFound,
  readScopes,
  splitRedirectUris,
  validationFailed,
} from '@stithy/core'
import {
  type ApplicationRow,
  countApplications,
  deleteApplicationRow,
  deleteGrantsOf,
  enqueueJob,
  hideApplication,
  insertApplication,
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
  trusted: boolean
}

/**
 * Creates an application. Only the hash of its secret is stored; `secret` is the only time it is
 * readable.
 * @throws DomainError `validation_failed`
 */
export async function createApplication(
  app: App,
  { name, redirectUri, scopes, confidential, trusted }: ApplicationRequest,
): Promise<ApplicationRow & { secret: string }> {
  const redirectUris = splitRedirectUris(redirectUri)
  const errors = applicationErrors({ name, redirectUris, scopes })
  if (errors !== undefined) throw validationFailed(errors)
  const secret = newSecret()
  const values = {
    uid: newSecret(),
    secretHash: hashSecret(secret),
    name,
    redirectUris,
    scopes: readScopes(scopes) ?? [],
    confidential: toFlag(confidential),
    trusted: toFlag(trusted),
    createdAt: app.now(),
  }
  const row = await app.db.transaction(async (tx) => {
    if ((await countApplications(tx)) >= maxApplications) {
      throw validationFailed({
        base: [`Maximum number of applications (${maxApplications}) exceeded`],
      })
    }
    const row = await insertApplication(tx, values)
    const created = { applicationId: row.id, name }
    await recordChange(tx, {
      kind: 'application.created',
      ...changeByCaller(app.now()),
      ...created,
    })
    return row
  })
  return { ...row, secret }
}

/** Deletes an application, whose tokens stop working at once. @throws DomainError `not_found` */
export async function deleteApplication(app: App, id: number): Promise<void> {
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const name = await hideApplication(tx, { id, now })
    if (name === undefined) throw notFound('Application')
    const deleted = { applicationId: id, name }
    await recordChange(tx, { kind: 'application.deleted', ...changeByCaller(now), ...deleted })
    const job = {
      queue: 'maintenance',
      kind: removeApplicationKind,
      payload: { applicationId: id },
    }
    await enqueueJob(tx, job, now)
  })
}

/** Removes what a deleted application was granted, and its row; may be run again. */
export async function removeApplication(app: App, applicationId: number): Promise<void> {
  await inBatches((limit) =>
    app.db.transaction((tx) => deleteGrantsOf(tx, { applicationId, limit })),
  )
  await app.db.transaction((tx) => deleteApplicationRow(tx, applicationId))
}
