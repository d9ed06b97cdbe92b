import type { Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { pick } from '../sql.ts'

/** What time is spent on. */
export interface TrackedTarget {
  type: Row<'timeLogs'>['targetType']
  id: number
}

/** Estimated and spent time in seconds, as the row keeps them. */
export type TrackedTime = Pick<Row<'issues'>, 'timeEstimate' | 'totalTimeSpent' | 'updatedAt'>

const tables = { issue: 'issues', merge_request: 'mergeRequests' } as const
const columns = ['timeEstimate', 'totalTimeSpent', 'updatedAt'] as const

/**
 * Sets the estimate of an issue or merge request. Answers its time as it is now; undefined where it is gone,
 * or was estimated so before. @param at milliseconds
 */
export function saveTimeEstimate(
  tx: Transaction,
  { type, id }: TrackedTarget,
  change: { seconds: number; at: number },
): Promise<TrackedTime | undefined> {
  return tx.first(`time.estimate|${type}`, { id, ...change }, (db, $) =>
    db
      .updateTable(tables[type])
      .set({ timeEstimate: $('seconds'), updatedAt: $('at') })
      .where('id', '=', $('id'))
      .where('timeEstimate', '<>', $('seconds'))
      .returning(columns),
  )
}

/**
 * Adds to the time spent on an issue or merge request, or takes from it. Answers its time as it is now;
 * undefined where it is gone, or less was spent than is to be taken. @param at milliseconds
 */
export function addToTimeSpent(
  tx: Transaction,
  { type, id }: TrackedTarget,
  change: { seconds: number; at: number },
): Promise<TrackedTime | undefined> {
  return tx.first(`time.spend|${type}`, { id, ...change }, (db, $) =>
    db
      .updateTable(tables[type])
      .set((eb) => ({
        totalTimeSpent: eb('totalTimeSpent', '+', $('seconds')),
        updatedAt: $('at'),
      }))
      .where('id', '=', $('id'))
      .where((eb) => eb(eb('totalTimeSpent', '+', $('seconds')), '>=', 0))
      .returning(columns),
  )
}

/** Notes time spent; below zero for time that was taken back. `spentOn` is `YYYY-MM-DD`. */
export async function insertTimeLog(
  tx: Transaction,
  log: Omit<Row<'timeLogs'>, 'id'>,
): Promise<void> {
  await tx.run('time-logs.insert', log, (db, $) =>
    db
      .insertInto('timeLogs')
      .values(
        pick($, [
          'projectId',
          'targetType',
          'targetId',
          'userId',
          'seconds',
          'spentOn',
          'createdAt',
        ]),
      ),
  )
}

/** The seconds spent by now, of a row that this transaction holds; undefined where it is gone. */
export async function findTimeSpent(
  tx: Transaction,
  { type, id }: TrackedTarget,
): Promise<number | undefined> {
  const row = await tx.first(`time.spent|${type}`, { id }, (db, $) => {
    const query = db.selectFrom(tables[type]).select('totalTimeSpent').where('id', '=', $('id'))
    // SQLite has one writer at a time.
    return tx.dialect === 'postgres' ? query.forUpdate() : query
  })
  return row?.totalTimeSpent
}

/** Gives up to `limit` entries of one user to another; answers how many. */
export async function moveTimeLogs(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('time-logs.move', args, (db, $) =>
    db
      .updateTable('timeLogs')
      .set({ userId: $('to') })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('timeLogs')
          .select('timeLogs.id')
          .where('timeLogs.userId', '=', $('from'))
          .limit($('limit')),
      ),
  )
  return changes
}
