import {
  type BodyOf,
  type deployKeysContract,
  forbidden,
  invalidParameter,
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
  isDeployKeyKnown,
  isUniqueViolation,
  linkDeployKey,
  lockSshKeyOf,
  lockSshKeys,
  type ProjectDeployKeyRow,
  type Queries,
  setDeployKeyPush,
  type Transaction,
  toFlag,
  unlinkDeployKey,
  updateSshKey,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { dayOf } from '../members/day.ts'
import { type PublicKey, readPublicKey, takenKeyErrors } from '../ssh-keys/public-key.ts'

/** A key as one project uses it. */
export interface KeyOfProject {
  projectId: number
  keyId: number
}

type NewKeyBody = BodyOf<typeof deployKeysContract.create>
type NewPublicKeyBody = BodyOf<typeof deployKeysContract.createPublic>
type KeyChanges = BodyOf<typeof deployKeysContract.update>

/** A deploy key of a project. @throws DomainError `not_found` */
export async function requireProjectDeployKey(
  q: Queries,
  key: KeyOfProject,
): Promise<ProjectDeployKeyRow> {
  const row = await findProjectDeployKey(q, key)
  if (row === undefined) throw deployKeyNotFound()
  return row
}

/**
 * Adds a key to a project (catalogue: repository, 11): one that is on it already stays as it is, one that
 * the caller may know is linked, any other must be new. @throws DomainError `validation_failed`
 */
export async function addDeployKey(
  app: App,
  caller: Caller,
  projectId: number,
  body: NewKeyBody,
): Promise<ProjectDeployKeyRow> {
  const publicKey = checkNewKey(body)
  return unlessTaken(() =>
    app.db.transaction(async (tx) => {
      const keyId =
        (await findUsableKey(tx, app, caller, projectId, publicKey)) ??
        (await insertKey(tx, app, caller, { title: body.title, publicKey, isPublic: false }))
      const canPush = toFlag(body.can_push)
      await linkDeployKey(tx, { projectId, keyId, canPush, createdAt: app.now() })
      return requireProjectDeployKey(tx, { projectId, keyId })
    }),
  )
}

/** Makes a key that every project may enable. @throws DomainError `validation_failed` */
export async function createPublicDeployKey(
  app: App,
  caller: Caller,
  body: NewPublicKeyBody,
): Promise<DeployKeyRow> {
  const key = { title: body.title, publicKey: checkNewKey(body), isPublic: true }
  return unlessTaken(() =>
    app.db.transaction(async (tx) => {
      const row = await findDeployKey(tx, await insertKey(tx, app, caller, key))
      if (row === undefined) throw deployKeyNotFound()
      return row
    }),
  )
}

/**
 * Changes the title of a key, everywhere, and what it may do in the project.
 * @throws DomainError `not_found`, `validation_failed`; `forbidden` for a public key of administrators
 */
export async function changeDeployKey(
  app: App,
  caller: Caller,
  key: KeyOfProject,
  { title, can_push: canPush }: KeyChanges,
): Promise<ProjectDeployKeyRow> {
  if (title === undefined && canPush === undefined) {
    throw invalidParameter('title, can_push are missing, at least one parameter must be provided')
  }
  const found = await requireProjectDeployKey(app.db, key)
  if (found.public === 1 && !caller.facts.admin) {
    throw forbidden('Public deploy keys are changed by administrators')
  }
  if (title !== undefined) checkTitle(title)
  return app.db.transaction(async (tx) => {
    const now = app.now()
    await updateSshKey(tx, { id: key.keyId, title: title ?? found.title, updatedAt: now })
    if (canPush !== undefined) await setDeployKeyPush(tx, { ...key, canPush: toFlag(canPush) })
    return requireProjectDeployKey(tx, key)
  })
}

/** Takes a key from a project, and removes it with the last one. @throws DomainError `not_found` */
export async function removeDeployKey(app: App, key: KeyOfProject): Promise<void> {
  const removed = await app.db.transaction((tx) => unlinkDeployKey(tx, key))
  if (!removed) throw deployKeyNotFound()
}

/** Takes a key from everywhere. @throws DomainError `not_found` */
export async function removeDeployKeyFromAll(app: App, keyId: number): Promise<void> {
  const removed = await app.db.transaction((tx) => deleteDeployKey(tx, keyId))
  if (!removed) throw deployKeyNotFound()
}

/**
 * Enables a key that is public, or that the caller can see in another project; it may not push there.
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
    const knowledge = { keyId, seen: 'key', caller: caller.facts, today: dayOf(app.now()) } as const
    if (key === undefined) throw deployKeyNotFound()
    if (key.public === 0 && !(await isDeployKeyKnown(tx, knowledge))) throw deployKeyNotFound()
    await linkDeployKey(tx, { projectId, keyId, canPush: 0, createdAt: app.now() })
    return key
  })
}

function deployKeyNotFound() {
  return notFound('Deploy Key')
}

function checkNewKey({ title, key }: NewPublicKeyBody): PublicKey {
  checkTitle(title)
  return readPublicKey(key)
}

function checkTitle(title: string): void {
  const errors = keyTitleErrors(title)
  if (errors !== undefined) throw validationFailed(errors)
}

/** The id of a key that is there already and that the caller may use; undefined where it is new. */
async function findUsableKey(
  tx: Transaction,
  app: App,
  caller: Caller,
  projectId: number,
  { fingerprint }: PublicKey,
): Promise<number | undefined> {
  const key = await lockSshKeyOf(tx, fingerprint)
  if (key === undefined) return undefined
  if (key.kind === 'user') throw validationFailed(takenKeyErrors)
  if (key.public === 1) return key.id
  if ((await findProjectDeployKey(tx, { projectId, keyId: key.id })) !== undefined) return key.id
  const today = dayOf(app.now())
  const knowledge = { keyId: key.id, seen: 'project', caller: caller.facts, today } as const
  if (await isDeployKeyKnown(tx, knowledge)) return key.id
  throw validationFailed(takenKeyErrors)
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
    public: toFlag(key.isPublic),
    createdAt: app.now(),
  })
  return id
}

/** Somebody may have added the same key at the same moment: then it is there for the second try. */
async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'fingerprint')) throw error
  }
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error, 'fingerprint') ? validationFailed(takenKeyErrors) : error
  }
}
