import type { Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** The issue or merge request of a time log. */
export interface TrackedTarget {
  type: Row<'timeLogs'>['targetType']
  id: number
}

/** Estimated and spent time in seconds, with the columns of the row. */
export type TrackedTime = Pick<Row<'issues'>, 'timeEstimate' | 'totalTimeSpent' | 'updatedAt'>

const tables = { issue: 'issues', merge_request: 'mergeRequests' } as const
const columns = ['timeEstimate', 'totalTimeSpent', 'updatedAt'] as const

/**
 * Sets the estimate of an issue or merge request and returns its current time columns; undefined if
 * it no longer exists, or if the estimate is unchanged. @param at milliseconds
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
 * Adds to the time spent on an issue or merge request, or subtracts from it. Returns its current
 * time columns; undefined if it no longer exists, or if less was spent than is to be subtracted.
 * @param at milliseconds
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

/** Logs time spent; negative for subtracted time. `spentOn` is `YYYY-MM-DD`. */
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

/**
 * The seconds spent so far, of a row that this transaction locks; undefined if it no longer exists.
 */
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

/** Moves up to `limit` time logs from one user to another; returns how many. */
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
