import type { Transaction } from '../queries.ts'
import type { RowChanges } from '../schema/schema.ts'
import { touchStamp } from '../stamps.ts'
import type { MergeRequestRow } from './merge-request-row.ts'
import { findMergeRequestById } from './merge-request-store.ts'

/** What may be set of a merge request. */
export type MergeRequestChanges = Omit<
  RowChanges<'mergeRequests'>,
  'id' | 'projectId' | 'iid' | 'authorId'
>

/** The merge request as it is now, kept from others until the transaction ends; undefined where it is gone. */
export async function lockMergeRequest(
  tx: Transaction,
  id: number,
): Promise<MergeRequestRow | undefined> {
  await tx.run('mergeRequests.hold', { id }, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set((eb) => ({ state: eb.ref('mergeRequests.state') }))
      .where('id', '=', $('id')),
  )
  return findMergeRequestById(tx, id)
}

/** Sets columns of a merge request. */
export async function updateMergeRequestRow(
  tx: Transaction,
  id: number,
  changes: MergeRequestChanges,
): Promise<void> {
  const names = (Object.keys(changes) as (keyof MergeRequestChanges)[])
    .filter((name) => changes[name] !== undefined)
    .toSorted()
  if (names.length === 0) return
  const args: Record<string, unknown> = { requestId: id }
  for (const name of names) args[name] = changes[name]
  await tx.run(`mergeRequests.update|${names.join(',')}`, args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set(Object.fromEntries(names.map((name) => [name, $(name)])) as MergeRequestChanges)
      .where('id', '=', $('requestId') as number),
  )
  await touchStamp(tx, 'mergeRequests')
}
