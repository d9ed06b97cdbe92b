import type { Kysely } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type IssueRow, issueColumns, listedIssueColumns } from './issue-row.ts'

/** The issue with this iid in its project. */
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

/**
 * Issues by their ids, in no particular order; deleted ones, or those whose project is being
 * deleted, are left out.
 */
export function findIssuesById(q: Queries, ids: readonly number[]): Promise<IssueRow[]> {
  return q.all('issues.by-id', { ids }, (db, $) => issuesById(db, $).select(issueColumns))
}

/** The same as lists have them. */
export function listIssuesById(q: Queries, ids: readonly number[]): Promise<IssueRow[]> {
  return q.all('issues.listed-by-id', { ids }, (db, $) =>
    issuesById(db, $).select(listedIssueColumns),
  )
}

function issuesById(db: Kysely<Schema>, $: Param<{ ids: readonly number[] }>) {
  return db
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.projectId')
    .where(inList('issues.id', $('ids')))
    .where('projects.deletedAt', 'is', null)
}

/** Lists the assignees of several issues, those of each issue in order. */
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
