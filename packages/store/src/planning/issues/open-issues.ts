import type { Transaction } from '../../platform/queries/queries.ts'
import type { Row } from '../../platform/schema/schema.ts'

/**
 * Whether the issue is one of the `openIssuesCount` of its project. Confidential issues are not:
 * the count is shown to everyone who can see the project's issues, and must not reveal hidden ones.
 */
export function countsAsOpen(issue: Pick<Row<'issues'>, 'state' | 'confidential'>): boolean {
  return issue.state === 'opened' && issue.confidential === 0
}

/** Adds to the `openIssuesCount` of a project; see `countsAsOpen`. */
export async function addToOpenIssues(
  tx: Transaction,
  args: { projectId: number; delta: number },
): Promise<void> {
  if (args.delta === 0) return
  await tx.run('projects.openIssues', args, (db, $) =>
    db
      .updateTable('projects')
      .set((eb) => ({ openIssuesCount: eb('openIssuesCount', '+', $('delta')) }))
      .where('id', '=', $('projectId')),
  )
}
