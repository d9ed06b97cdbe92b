import type { Transaction } from './queries.ts'

/** What is numbered from 1 in each project or, for the kinds of groups, in each group. */
export type IidKind = 'epics' | 'groupMilestones' | 'issues' | 'mergeRequests' | 'milestones'

/**
 * The next number of its kind in a project or group. It belongs into the transaction that inserts what it is for:
 * others wait for it until the commit, and a rollback gives it back, so that no number is left out.
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

/** Counts on from `iid`, where the counter has not come that far: somebody chose this number. */
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
