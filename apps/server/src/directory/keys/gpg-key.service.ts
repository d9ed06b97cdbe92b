import { maxGpgKeyLength, maxGpgKeys, notFound, validationFailed } from '@stithy/core'
import {
  countGpgKeys,
  deleteGpgKey,
  findGpgKey,
  type GpgKeyRow,
  insertGpgKey,
  isUniqueViolation,
  type Queries,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { readOpenPgpKey } from '../../platform/openpgp/openpgp.ts'
import { keyTakenErrors } from './public-key.ts'

const armorHeader = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const invalidText = `is invalid. A valid public GPG key begins with '${armorHeader}'`

/** Finds a GPG key of a user. @throws DomainError `not_found` */
export async function requireGpgKey(
  q: Queries,
  key: { userId: number; id: number },
): Promise<GpgKeyRow> {
  const row = await findGpgKey(q, key)
  if (row === undefined) throw notFound('GPG Key')
  return row
}

/**
 * Adds an armored OpenPGP public key to a user.
 * @throws DomainError `validation_failed`, also for a key that any user has; `unavailable`
 */
export async function addGpgKey(app: App, userId: number, text: string): Promise<GpgKeyRow> {
  const key = text.trim()
  if (key.length > maxGpgKeyLength) {
    throw validationFailed({ key: [`is too long (maximum is ${maxGpgKeyLength} characters)`] })
  }
  const facts = key.startsWith(armorHeader) ? await readOpenPgpKey(key) : undefined
  if (facts === undefined) throw validationFailed({ key: [invalidText] })
  return app.db
    .transaction(async (tx) => {
      if ((await countGpgKeys(tx, userId)) >= maxGpgKeys) {
        throw validationFailed({ base: [`a user has at most ${maxGpgKeys} GPG keys`] })
      }
      const row = await insertGpgKey(tx, { ...facts, userId, key, createdAt: app.now() })
      await record(tx, 'gpg_key.created', row, app.now())
      return row
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'fingerprint') ? validationFailed(keyTakenErrors) : error
    })
}

/** Deletes a GPG key of a user, with which nothing is verified from now on. @throws DomainError `not_found` */
export async function removeGpgKey(app: App, key: { userId: number; id: number }): Promise<void> {
  await app.db.transaction(async (tx) => {
    const row = await requireGpgKey(tx, key)
    if (!(await deleteGpgKey(tx, key))) throw notFound('GPG Key')
    await record(tx, 'gpg_key.deleted', row, app.now())
  })
}

function record(
  tx: Transaction,
  kind: 'gpg_key.created' | 'gpg_key.deleted',
  { id: keyId, userId: ownerId, fingerprint }: GpgKeyRow,
  now: number,
): Promise<void> {
  return recordChange(tx, { kind, ...changeByCaller(now), keyId, ownerId, fingerprint })
}
