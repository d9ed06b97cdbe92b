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
  public: Flag
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
