import type { MergeRequestRow } from '../../planning/items/merge-request-row.ts'
import type { Transaction } from '../../platform/queries/queries.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { RowChanges } from '../../platform/schema/schema.ts'
import { findMergeRequestById } from './merge-request-store.ts'

/** The settable columns of a merge request. */
export type MergeRequestChanges = Omit<
  RowChanges<'mergeRequests'>,
  'id' | 'projectId' | 'iid' | 'authorId'
>

/**
 * Locks a merge request until the transaction ends and returns its current row; undefined if it no
 * longer exists.
 */
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

/** Updates columns of a merge request. */
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
  const updated = await tx.first(`mergeRequests.update|${names.join(',')}`, args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set(Object.fromEntries(names.map((name) => [name, $(name)])) as MergeRequestChanges)
      .where('id', '=', $('requestId') as number)
      .returning('projectId'),
  )
  if (updated !== undefined) touchStamp(tx, stampOf('mergeRequests', updated.projectId))
}
