import type { Queries } from '../../platform/queries/queries.ts'

/** An open issue that is due on some day. */
export interface DueIssue {
  id: number
  authorId: number
  /** Whether its project is archived or being deleted. */
  isInactive: boolean
}

/**
 * The next open issues, by id, that are due on a day (`YYYY-MM-DD`). Those of inactive projects are
 * marked instead of left out, so a page reads no more rows than it returns.
 */
export async function listDueIssues(
  q: Queries,
  args: { dueDate: string; after: number; limit: number },
): Promise<DueIssue[]> {
  const rows = await q.all('issues.due', args, (db, $) =>
    db
      .selectFrom('issues')
      .innerJoin('projects', 'projects.id', 'issues.projectId')
      .where('issues.state', '=', 'opened')
      .where('issues.dueDate', '=', $('dueDate'))
      .where('issues.id', '>', $('after'))
      .orderBy('issues.id')
      .limit($('limit'))
      .select(['issues.id', 'issues.authorId', 'projects.archived', 'projects.deletedAt']),
  )
  return rows.map(({ archived, deletedAt, ...issue }) => ({
    ...issue,
    isInactive: archived === 1 || deletedAt !== null,
  }))
}
