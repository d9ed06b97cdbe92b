import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

export type GpgKeyRow = Row<'gpgKeys'>

export interface NewGpgKey {
  userId: number
  key: string
  fingerprint: string
  keyId: string
  userIds: readonly { name: string; email: string }[]
  signingSubkeys: readonly { keyId: string; fingerprint: string }[]
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** Stores a key with its subkeys. @throws UniqueViolationError of `fingerprint` if any user has it. */
export async function insertGpgKey(tx: Transaction, values: NewGpgKey): Promise<GpgKeyRow> {
  const { signingSubkeys, userIds, ...columns } = values
  const args = { ...columns, userIds: jsonText(userIds) }
  const row = await tx.first('gpgKeys.insert', args, (db, $) =>
    db
      .insertInto('gpgKeys')
      .values({
        userId: $('userId'),
        key: $('key'),
        fingerprint: $('fingerprint'),
        keyId: $('keyId'),
        userIds: $('userIds'),
        createdAt: $('createdAt'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  for (const subkey of signingSubkeys) {
    await tx.run('gpgSubkeys.insert', { ...subkey, gpgKeyId: row.id }, (db, $) =>
      db
        .insertInto('gpgSubkeys')
        .values({ gpgKeyId: $('gpgKeyId'), keyId: $('keyId'), fingerprint: $('fingerprint') }),
    )
  }
  return row
}

/** A page of the keys of a user, oldest first. */
export async function listGpgKeys(
  q: Queries,
  userId: number,
  request: PageRequest,
): Promise<Page<GpgKeyRow>> {
  return listUncached(q, request, {
    shape: 'gpgKeys.list',
    args: { userId },
    key: 'gpgKeys.id',
    from: (db, $) => db.selectFrom('gpgKeys').where('gpgKeys.userId', '=', $('userId')),
    order: (query) => query.orderBy('gpgKeys.id'),
    columns: (query) => query.selectAll('gpgKeys'),
  })
}

/** The number of keys of a user. */
export async function countGpgKeys(q: Queries, userId: number): Promise<number> {
  const count = await q.first('gpgKeys.count', { userId }, (db, $) =>
    db
      .selectFrom('gpgKeys')
      .where('userId', '=', $('userId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return count?.total ?? 0
}

/** A key of a user. */
export function findGpgKey(
  q: Queries,
  args: { userId: number; id: number },
): Promise<GpgKeyRow | undefined> {
  return q.first('gpgKeys.find', args, (db, $) =>
    db
      .selectFrom('gpgKeys')
      .selectAll()
      .where('id', '=', $('id'))
      .where('userId', '=', $('userId')),
  )
}

/** Deletes a key of a user; returns whether there was one. */
export async function deleteGpgKey(
  tx: Transaction,
  args: { userId: number; id: number },
): Promise<boolean> {
  const { changes } = await tx.run('gpgKeys.delete', args, (db, $) =>
    db.deleteFrom('gpgKeys').where('id', '=', $('id')).where('userId', '=', $('userId')),
  )
  return changes > 0
}

/** A key that may have made a signature; `subkeyId` if one of its subkeys may. */
export interface SigningKeyRow extends GpgKeyRow {
  subkeyId: number | null
}

/**
 * The keys with this ID, or with a subkey that has it, oldest first: of different keys, IDs are
 * equal by accident only. Two indexed look-ups.
 */
export async function findSigningKeys(
  q: Queries,
  args: { keyId: string; limit: number },
): Promise<SigningKeyRow[]> {
  const keys = await q.all('gpgKeys.signing', args, (db, $) =>
    db
      .selectFrom('gpgKeys')
      .selectAll()
      .where('keyId', '=', $('keyId'))
      .orderBy('id')
      .limit($('limit')),
  )
  const owners = await q.all('gpgSubkeys.signing', args, (db, $) =>
    db
      .selectFrom('gpgSubkeys as subkey')
      .innerJoin('gpgKeys', 'gpgKeys.id', 'subkey.gpgKeyId')
      .selectAll('gpgKeys')
      .select('subkey.id as subkeyId')
      .where('subkey.keyId', '=', $('keyId'))
      .orderBy('subkey.id')
      .limit($('limit')),
  )
  return [...keys.map((row) => ({ ...row, subkeyId: null })), ...owners]
}
