import type { Transaction } from './queries.ts'

/**
 * The counters of iids, which start from 1 in each project or, for epics and group milestones, in
 * each group.
 */
export type IidKind =
  | 'deployments'
  | 'epics'
  | 'groupMilestones'
  | 'issues'
  | 'mergeRequests'
  | 'milestones'

/**
 * Takes the next iid of a kind in a project or group. Call it in the transaction that inserts the
 * row: others wait for it until the commit, and a rollback returns it, so there are no gaps.
 */
export async function nextIid(tx: Transaction, kind: IidKind, ownerId: number): Promise<number> {
  const args = { name: `iid.${kind}.${ownerId}`, one: 1 }
  const row = await tx.first('iid.next', args, (db, $) =>
    db
      .insertInto('counters')
      .values({ name: $('name'), value: $('one') })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => ({ value: eb('counters.value', '+', 1) })),
      )
      .returning('value'),
  )
  if (row === undefined) throw new Error('The database gave no number')
  return row.value
}

/** Raises the counter to at least `iid`, after a caller chose this iid. */
export async function raiseIid(
  tx: Transaction,
  kind: IidKind,
  ownerId: number,
  iid: number,
): Promise<void> {
  const args = { name: `iid.${kind}.${ownerId}`, iid }
  await tx.run('iid.raise', args, (db, $) =>
    db
      .insertInto('counters')
      .values({ name: $('name'), value: $('iid') })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ value: $('iid') })
          .where('counters.value', '<', $('iid')),
      ),
  )
}
