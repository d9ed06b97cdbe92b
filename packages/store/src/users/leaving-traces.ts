import type { Transaction } from '../queries.ts'

/** Which of a user's traces is given to somebody else, by table and column. */
const traces = [
  ['labelEvents', 'userId'],
  ['todos', 'authorId'],
  ['notes', 'resolvedById'],
] as const

/**
 * Gives up to `limit` of the label events of a user to another, as many todos of others that the user is the
 * cause of, and as many resolved notes; answers `limit` where there may be more.
 */
export async function moveTraces(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let most = 0
  for (const [table, column] of traces) {
    const { changes } = await tx.run(`users.move-traces|${table}`, args, (db, $) =>
      db
        .updateTable(table)
        .set({ [column]: $('to') })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom(table)
            .select(`${table}.id`)
            .where(`${table}.${column}` as never, '=', $('from') as never)
            .limit($('limit')),
        ),
    )
    most = Math.max(most, changes)
  }
  return most
}
