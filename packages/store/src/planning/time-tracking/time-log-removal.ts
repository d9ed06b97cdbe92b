import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

const tables = { issue: 'issues', merge_request: 'mergeRequests' } as const

/** Deletes up to `limit` time logs of a user, and recomputes the time spent; returns how many. */
export async function removeTimeLogs(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const logs = await tx.all('time-logs.remove', args, (db, $) =>
    db
      .deleteFrom('timeLogs')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('timeLogs')
          .select('timeLogs.id')
          .where('timeLogs.userId', '=', $('userId'))
          .limit($('limit')),
      )
      .returning(['id', 'targetType', 'targetId']),
  )
  for (const [type, ofType] of Map.groupBy(logs, (log) => log.targetType)) {
    await recomputeTimeSpent(tx, type, [...new Set(ofType.map((log) => log.targetId))])
  }
  return logs.length
}

/**
 * The sum is at least 0, even if another user subtracted more than the remaining logs add up to.
 */
async function recomputeTimeSpent(
  tx: Transaction,
  type: keyof typeof tables,
  ids: readonly number[],
): Promise<void> {
  const table = tables[type]
  const sums = await tx.all(`time-logs.sums|${type}`, { ids, type }, (db, $) =>
    db
      .selectFrom('timeLogs')
      .where('targetType', '=', $('type'))
      .where(inList('timeLogs.targetId', $('ids')))
      .groupBy('targetId')
      .select(['targetId', (eb) => eb.fn.sum<number>('seconds').as('seconds')]),
  )
  const seconds = new Map(sums.map((sum) => [sum.targetId, Math.max(0, Number(sum.seconds))]))
  for (const id of ids) {
    await tx.run(`time-logs.sum|${type}`, { id, spent: seconds.get(id) ?? 0 }, (db, $) =>
      db
        .updateTable(table)
        .set({ totalTimeSpent: $('spent') })
        .where('id', '=', $('id')),
    )
  }
}
