import type { Transaction } from '../../platform/queries/queries.ts'

/** The references to a user that are moved to another user, by table and column. */
const userReferences = [
  ['projects', 'creatorId'],
  ['releases', 'authorId'],
  ['pipelines', 'userId'],
  ['deployments', 'userId'],
  ['labelEvents', 'userId'],
  ['todos', 'authorId'],
  ['notes', 'resolvedById'],
  ['vulnerabilityDismissals', 'authorId'],
] as const

/**
 * Moves references to one user to another: up to `limit` of projects that the user created, as many
 * releases, pipelines and deployments, label events, todos of others that the user caused, and resolved notes.
 * Returns `limit` if there may be more.
 * releases and pipelines, label events, todos of others that the user caused, resolved notes, and
 * dismissed vulnerabilities. Returns `limit` if there may be more.
 */
export async function moveUserReferences(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let maxChanges = 0
  for (const [table, column] of userReferences) {
    const { changes } = await tx.run(`users.move-references|${table}`, args, (db, $) =>
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
    maxChanges = Math.max(maxChanges, changes)
  }
  return maxChanges
}
