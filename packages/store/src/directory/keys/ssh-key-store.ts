import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Flag } from '../../platform/schema/flag.ts'
import type { Row } from '../../platform/schema/schema.ts'

export type SshKeyRow = Row<'sshKeys'>

export interface NewSshKey {
  kind: SshKeyRow['kind']
  /** The owner; null for deploy keys. */
  userId: number | null
  /** The creator of a deploy key. */
  creatorId: number | null
  title: string
  /** OpenSSH's one-line form. */
  key: string
  /** `SHA256:…` */
  fingerprint: string
  /** `aa:bb:…` */
  fingerprintMd5: string
  public: Flag
  /** `YYYY-MM-DD` */
  expiresOn: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * Stores a key.
 * @throws UniqueViolationError of `fingerprint` if any user or deploy key has it.
 */
export async function insertSshKey(tx: Transaction, key: NewSshKey): Promise<SshKeyRow> {
  const row = await tx.first('sshKeys.insert', key, (db, $) =>
    db
      .insertInto('sshKeys')
      .values({
        kind: $('kind'),
        userId: $('userId'),
        creatorId: $('creatorId'),
        title: $('title'),
        key: $('key'),
        fingerprint: $('fingerprint'),
        fingerprintMd5: $('fingerprintMd5'),
        expiresOn: $('expiresOn'),
        public: $('public'),
        createdAt: $('createdAt'),
        updatedAt: $('createdAt'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Locks the key with a fingerprint, whoever owns it, until the end of the transaction. */
export function lockSshKeyByFingerprint(
  tx: Transaction,
  fingerprint: string,
): Promise<SshKeyRow | undefined> {
  return tx.first('sshKeys.lock-one', { fingerprint }, (db, $) =>
    db
      .updateTable('sshKeys')
      .set((eb) => ({ title: eb.ref('title') }))
      .where('fingerprint', '=', $('fingerprint'))
      .returningAll(),
  )
}

/** Locks keys until the end of the transaction. */
export async function lockSshKeys(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('sshKeys.lock', { ids }, (db, $) =>
    db
      .updateTable('sshKeys')
      .set((eb) => ({ title: eb.ref('title') }))
      .where(inList('sshKeys.id', $('ids'))),
  )
}

/** Sets the title of a key; `updatedAt` in milliseconds. */
export async function updateSshKey(
  q: Queries,
  args: { id: number; title: string; updatedAt: number },
): Promise<void> {
  await q.run('sshKeys.update', args, (db, $) =>
    db
      .updateTable('sshKeys')
      .set({ title: $('title'), updatedAt: $('updatedAt') })
      .where('id', '=', $('id')),
  )
}

/** A page of the keys of a user, oldest first. */
export function listUserKeys(
  q: Queries,
  userId: number,
  request: PageRequest,
): Promise<Page<SshKeyRow>> {
  return listUncached(q, request, {
    shape: 'sshKeys.user',
    args: { userId },
    key: 'sshKeys.id',
    from: (db, $) => db.selectFrom('sshKeys').where('sshKeys.userId', '=', $('userId')),
    order: (query) => query.orderBy('sshKeys.id'),
    columns: (query) => query.selectAll('sshKeys'),
  })
}

/** A key of a user. */
export function findUserKey(
  q: Queries,
  args: { userId: number; id: number },
): Promise<SshKeyRow | undefined> {
  return q.first('sshKeys.user.find', args, (db, $) =>
    db
      .selectFrom('sshKeys')
      .selectAll()
      .where('id', '=', $('id'))
      .where('userId', '=', $('userId')),
  )
}

/** Deletes a key of a user; returns whether there was one. */
export async function deleteUserKey(
  tx: Transaction,
  args: { userId: number; id: number },
): Promise<boolean> {
  const { changes } = await tx.run('sshKeys.user.delete', args, (db, $) =>
    db.deleteFrom('sshKeys').where('id', '=', $('id')).where('userId', '=', $('userId')),
  )
  return changes > 0
}

/** A key of a user, or a deploy key. */
export function findSshKey(q: Queries, id: number): Promise<SshKeyRow | undefined> {
  return q.first('sshKeys.find', { id }, (db, $) =>
    db.selectFrom('sshKeys').selectAll().where('id', '=', $('id')),
  )
}

/**
 * The key of a user or the deploy key with a fingerprint, `SHA256:…`, also an expired one. One
 * indexed look-up.
 */
export function findKeyByFingerprint(
  q: Queries,
  fingerprint: string,
): Promise<SshKeyRow | undefined> {
  return q.first('sshKeys.by-fingerprint', { fingerprint }, (db, $) =>
    db.selectFrom('sshKeys').selectAll().where('fingerprint', '=', $('fingerprint')),
  )
}

/** The oldest key with an MD5 fingerprint, `aa:bb:…`, which two keys may share. */
export function findKeyByMd5(q: Queries, fingerprintMd5: string): Promise<SshKeyRow | undefined> {
  return q.first('sshKeys.by-md5', { fingerprintMd5 }, (db, $) =>
    db
      .selectFrom('sshKeys')
      .selectAll()
      .where('fingerprintMd5', '=', $('fingerprintMd5'))
      .orderBy('id')
      .limit(1),
  )
}
