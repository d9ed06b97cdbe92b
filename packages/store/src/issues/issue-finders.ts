import type { Queries } from '../queries.ts'
import { inList } from '../sql.ts'
import { type IssueRow, issueColumns } from './issue-row.ts'

/** The issue with this number in its project. */
export function findIssue(
  q: Queries,
  args: { projectId: number; iid: number },
): Promise<IssueRow | undefined> {
  return q.first('issues.by-iid', args, (db, $) =>
    db
      .selectFrom('issues')
      .innerJoin('projects', 'projects.id', 'issues.projectId')
      .select(issueColumns)
      .where('issues.projectId', '=', $('projectId'))
      .where('issues.iid', '=', $('iid')),
  )
}

/** Issues by their ids, in no order; those that are gone, or whose project is going, are left out. */
export function findIssuesById(q: Queries, ids: readonly number[]): Promise<IssueRow[]> {
  return q.all('issues.by-id', { ids }, (db, $) =>
    db
      .selectFrom('issues')
      .innerJoin('projects', 'projects.id', 'issues.projectId')
      .select(issueColumns)
      .where(inList('issues.id', $('ids')))
      .where('projects.deletedAt', 'is', null),
  )
}

/** Who the issues are assigned to, each issue's first assignee first. */
export function listIssueAssignees(
  q: Queries,
  issueIds: readonly number[],
): Promise<{ issueId: number; userId: number }[]> {
  return q.all('issue-assignees.of', { issueIds }, (db, $) =>
    db
      .selectFrom('issueAssignees')
      .select(['issueId', 'userId'])
      .where(inList('issueAssignees.issueId', $('issueIds')))
      .orderBy('issueId')
      .orderBy('position'),
  )
}
