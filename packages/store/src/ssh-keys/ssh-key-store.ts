import type { Queries, Transaction } from '../queries.ts'
import type { Flag } from '../schema/flag.ts'
import type { Row } from '../schema/schema.ts'
import { inList } from '../sql.ts'

export type SshKeyRow = Row<'sshKeys'>

export interface NewSshKey {
  kind: SshKeyRow['kind']
  /** Whose key it is; null for deploy keys. */
  userId: number | null
  /** Who made a deploy key. */
  creatorId: number | null
  title: string
  /** OpenSSH's one-line form. */
  key: string
  /** `SHA256:…` */
  fingerprint: string
  public: Flag
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** Keeps a key. Throws a unique violation of `fingerprint` where anybody has it. */
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
        public: $('public'),
        createdAt: $('createdAt'),
        updatedAt: $('createdAt'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/** The key of a fingerprint, whoever has it, kept from all others until the end of the transaction. */
export function lockSshKeyOf(tx: Transaction, fingerprint: string): Promise<SshKeyRow | undefined> {
  return tx.first('sshKeys.lock-one', { fingerprint }, (db, $) =>
    db
      .updateTable('sshKeys')
      .set((eb) => ({ title: eb.ref('title') }))
      .where('fingerprint', '=', $('fingerprint'))
      .returningAll(),
  )
}

/** Keeps keys from all others until the end of the transaction. */
export async function lockSshKeys(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('sshKeys.lock', { ids }, (db, $) =>
    db
      .updateTable('sshKeys')
      .set((eb) => ({ title: eb.ref('title') }))
      .where(inList('sshKeys.id', $('ids'))),
  )
}

/** Gives a key a title, the same or another; `updatedAt` in milliseconds. */
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
