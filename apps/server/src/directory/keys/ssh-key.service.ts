import type { IncomingHttpHeaders } from 'node:http'
import {
  type BodyOf,
  keyTitleErrors,
  notFound,
  pastExpiryTexts,
  tokenExpiry,
  type userKeysContract,
  validationFailed,
} from '@stithy/core'
import {
  deleteUserKey,
  findUserKey,
  insertSshKey,
  isUniqueViolation,
  type Queries,
  type SshKeyRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { keyTakenErrors, readAllowedKey } from './public-key.ts'

type NewKeyBody = BodyOf<typeof userKeysContract.createOwn>

/** Who makes a change, and whose keys it is about. */
export interface KeyActor {
  callerId: number | null
  ownerId: number
}

/** Finds a key of a user. @throws DomainError `not_found` */
export async function requireUserKey(
  q: Queries,
  key: { userId: number; id: number },
): Promise<SshKeyRow> {
  const row = await findUserKey(q, key)
  if (row === undefined) throw notFound('Key')
  return row
}

/**
 * Adds a key to a user. Its expiry is today or later.
 * @throws DomainError `validation_failed`, also for a key that anyone or any project has
 */
export async function addUserKey(
  app: App,
  { callerId, ownerId }: KeyActor,
  body: NewKeyBody,
): Promise<SshKeyRow> {
  const now = app.now()
  const expiresOn = body.expires_at ?? null
  const expiryTexts = pastExpiryTexts(tokenExpiry(expiresOn), now)
  const errors = {
    ...keyTitleErrors(body.title),
    ...(expiryTexts.length > 0 ? { expires_at: expiryTexts } : {}),
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors)
  const { line: key, fingerprint, fingerprintMd5 } = await readAllowedKey(app, body.key)
  const values = { title: body.title, key, fingerprint, fingerprintMd5, expiresOn, createdAt: now }
  const owner = { kind: 'user', userId: ownerId, creatorId: null, public: 0 } as const
  return app.db
    .transaction(async (tx) => {
      const row = await insertSshKey(tx, { ...values, ...owner })
      const by = { userId: callerId, at: now, now }
      await recordChange(tx, { kind: 'key.created', ...by, keyId: row.id, key, ownerId })
      return row
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'fingerprint') ? validationFailed(keyTakenErrors) : error
    })
}

/**
 * Deletes a key of a user.
 * @throws DomainError `not_found`, `precondition_failed`
 */
export async function removeUserKey(
  app: App,
  { callerId, ownerId }: KeyActor,
  { id, headers }: { id: number; headers: IncomingHttpHeaders },
): Promise<void> {
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const { key, updatedAt } = await requireUserKey(tx, { userId: ownerId, id })
    requireUnmodified(headers, updatedAt)
    if (!(await deleteUserKey(tx, { userId: ownerId, id }))) throw notFound('Key')
    const by = { userId: callerId, at: now, now }
    await recordChange(tx, { kind: 'key.deleted', ...by, keyId: id, key, ownerId })
  })
}
