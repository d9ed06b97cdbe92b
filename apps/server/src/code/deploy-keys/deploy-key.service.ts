import {
  type BodyOf,
  type deployKeysContract,
  forbidden,
  keyTitleErrors,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  type DeployKeyRow,
  deleteDeployKey,
  findDeployKey,
  findProjectDeployKey,
  insertSshKey,
  isDeployKeyVisible,
  isUniqueViolation,
  linkDeployKey,
  lockSshKeyByFingerprint,
  lockSshKeys,
  type ProjectDeployKeyRow,
  type Queries,
  setDeployKeyPush,
  type Transaction,
  toFlag,
  unlinkDeployKey,
  updateSshKey,
} from '@stithy/store'
import { keyTakenErrors, type PublicKey, readAllowedKey } from '../../directory/keys/public-key.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { ChangeKind } from '../../platform/changes/change.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'

/** A key as enabled in one project. */
export interface KeyOfProject {
  projectId: number
  keyId: number
}

type NewKeyBody = BodyOf<typeof deployKeysContract.create>
type NewPublicKeyBody = BodyOf<typeof deployKeysContract.createPublic>
type KeyChanges = BodyOf<typeof deployKeysContract.update>

/** Finds a deploy key of a project. @throws DomainError `not_found` */
export async function requireProjectDeployKey(
  q: Queries,
  key: KeyOfProject,
): Promise<ProjectDeployKeyRow> {
  const row = await findProjectDeployKey(q, key)
  if (row === undefined) throw deployKeyNotFound()
  return row
}

/**
 * Adds a key to a project: one that is already enabled stays as it is, one that the caller can see
 * is linked, any other must be new.
 * @throws DomainError `validation_failed`
 */
export async function addDeployKey(
  app: App,
  caller: Caller,
  projectId: number,
  body: NewKeyBody,
): Promise<ProjectDeployKeyRow> {
  const publicKey = await checkNewKey(app, body)
  return retryIfTaken(() =>
    app.db.transaction(async (tx) => {
      const keyId =
        (await findUsableKey(tx, app, caller, projectId, publicKey)) ??
        (await insertKey(tx, app, caller, { title: body.title, publicKey, isPublic: false }))
      const canPush = toFlag(body.can_push)
      await linkDeployKey(tx, { projectId, keyId, canPush, createdAt: app.now() })
      const row = await requireProjectDeployKey(tx, { projectId, keyId })
      await record(tx, 'deploy_key.enabled', { projectId, keyId, title: row.title }, app.now())
      return row
    }),
  )
}

/** Creates a key that every project may enable. @throws DomainError `validation_failed` */
export async function createPublicDeployKey(
  app: App,
  caller: Caller,
  body: NewPublicKeyBody,
): Promise<DeployKeyRow> {
  const key = { title: body.title, publicKey: await checkNewKey(app, body), isPublic: true }
  return retryIfTaken(() =>
    app.db.transaction(async (tx) => {
      const row = await findDeployKey(tx, await insertKey(tx, app, caller, key))
      if (row === undefined) throw deployKeyNotFound()
      const created = { keyId: row.id, title: row.title }
      const by = changeByCaller(app.now())
      await recordChange(tx, { kind: 'public_deploy_key.created', ...by, ...created })
      return row
    }),
  )
}

/**
 * Changes the title of a key in all projects, and its push access in this one.
 * @throws DomainError `not_found`, `validation_failed`; `forbidden` for a public key of
 * administrators
 */
export async function changeDeployKey(
  app: App,
  caller: Caller,
  key: KeyOfProject,
  { title, can_push: canPush }: KeyChanges,
): Promise<ProjectDeployKeyRow> {
  const found = await requireProjectDeployKey(app.db, key)
  if (found.public === 1 && !caller.facts.admin) {
    throw forbidden('Public deploy keys can only be changed by administrators')
  }
  if (title !== undefined) checkTitle(title)
  return app.db.transaction(async (tx) => {
    const now = app.now()
    await updateSshKey(tx, { id: key.keyId, title: title ?? found.title, updatedAt: now })
    if (canPush !== undefined) await setDeployKeyPush(tx, { ...key, canPush: toFlag(canPush) })
    const row = await requireProjectDeployKey(tx, key)
    await record(tx, 'deploy_key.updated', { ...key, title: row.title }, now)
    return row
  })
}

/**
 * Disables a key in a project, and deletes it with the last one.
 * @throws DomainError `not_found`
 */
export async function removeDeployKey(app: App, key: KeyOfProject): Promise<void> {
  await app.db.transaction(async (tx) => {
    const { title } = await requireProjectDeployKey(tx, key)
    if (!(await unlinkDeployKey(tx, key))) throw deployKeyNotFound()
    await record(tx, 'deploy_key.disabled', { ...key, title }, app.now())
  })
}

/** Deletes a key from all projects. @throws DomainError `not_found` */
export async function removeDeployKeyFromAll(app: App, keyId: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    const row = await findDeployKey(tx, keyId)
    if (row === undefined || !(await deleteDeployKey(tx, keyId))) throw deployKeyNotFound()
    const deleted = { keyId, title: row.title }
    const by = changeByCaller(app.now())
    await recordChange(tx, { kind: 'public_deploy_key.deleted', ...by, ...deleted })
  })
}

/**
 * Enables a key that is public, or that the caller can see in another project, without push access.
 * @throws DomainError `not_found`
 */
export async function enableDeployKey(
  app: App,
  caller: Caller,
  { projectId, keyId }: KeyOfProject,
): Promise<DeployKeyRow> {
  return app.db.transaction(async (tx) => {
    await lockSshKeys(tx, [keyId])
    const key = await findDeployKey(tx, keyId)
    const knowledge = {
      keyId,
      visible: 'key',
      caller: caller.facts,
      today: dayOf(app.now()),
    } as const
    if (key === undefined) throw deployKeyNotFound()
    if (key.public === 0 && !(await isDeployKeyVisible(tx, knowledge))) throw deployKeyNotFound()
    await linkDeployKey(tx, { projectId, keyId, canPush: 0, createdAt: app.now() })
    await record(tx, 'deploy_key.enabled', { projectId, keyId, title: key.title }, app.now())
    return key
  })
}

function record(
  tx: Transaction,
  kind: Extract<ChangeKind, `deploy_key.${string}`>,
  key: KeyOfProject & { title: string },
  now: number,
): Promise<void> {
  return recordChange(tx, { kind, ...changeByCaller(now), ...key })
}

function deployKeyNotFound() {
  return notFound('Deploy Key')
}

async function checkNewKey(app: App, { title, key }: NewPublicKeyBody): Promise<PublicKey> {
  checkTitle(title)
  return readAllowedKey(app, key)
}

function checkTitle(title: string): void {
  const errors = keyTitleErrors(title)
  if (errors !== undefined) throw validationFailed(errors)
}

/** The id of an existing key that the caller may use; undefined if the key is new. */
async function findUsableKey(
  tx: Transaction,
  app: App,
  caller: Caller,
  projectId: number,
  { fingerprint }: PublicKey,
): Promise<number | undefined> {
  const key = await lockSshKeyByFingerprint(tx, fingerprint)
  if (key === undefined) return undefined
  if (key.kind === 'user') throw validationFailed(keyTakenErrors)
  if (key.public === 1) return key.id
  if ((await findProjectDeployKey(tx, { projectId, keyId: key.id })) !== undefined) return key.id
  const today = dayOf(app.now())
  const knowledge = { keyId: key.id, visible: 'project', caller: caller.facts, today } as const
  if (await isDeployKeyVisible(tx, knowledge)) return key.id
  throw validationFailed(keyTakenErrors)
}

async function insertKey(
  tx: Transaction,
  app: App,
  caller: Caller,
  key: { title: string; publicKey: PublicKey; isPublic: boolean },
): Promise<number> {
  const { id } = await insertSshKey(tx, {
    kind: 'deploy',
    userId: null,
    creatorId: caller.user?.id ?? null,
    title: key.title,
    key: key.publicKey.line,
    fingerprint: key.publicKey.fingerprint,
    fingerprintMd5: key.publicKey.fingerprintMd5,
    expiresOn: null,
    public: toFlag(key.isPublic),
    createdAt: app.now(),
  })
  return id
}

/** The same key may be added concurrently: then the second attempt finds it. */
async function retryIfTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'fingerprint')) throw error
  }
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error, 'fingerprint') ? validationFailed(keyTakenErrors) : error
  }
}
