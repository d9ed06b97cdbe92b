import type { CallerFacts } from '@stithy/core'
import type { Kysely } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type IssueRow, issueColumns, listedIssueColumns } from '../issues/issue-row.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'

/** An issue with its link to an epic. */
export interface EpicIssueRow extends IssueRow {
  epicIssueId: number
  relativePosition: number
}

/** The issues of an epic, for one reader; `today` is `YYYY-MM-DD`. */
export interface EpicIssuesQuery {
  epicId: number
  caller: CallerFacts
  today: string
}

type Args = ViewerArgs & { epicId: number }

function visibleIn(db: Kysely<Schema>, $: Param<Args>, kind: ViewerKind) {
  return db
    .selectFrom('epicIssues')
    .crossJoin('issues')
    .crossJoin('projects')
    .whereRef('issues.id', '=', 'epicIssues.issueId')
    .whereRef('projects.id', '=', 'issues.projectId')
    .where('epicIssues.epicId', '=', $('epicId'))
    .where(visibleIssues(kind, $))
}

/** Lists the issues of an epic that the caller may see, in their order. Two queries and a stamp. */
export function listEpicIssues(
  q: Queries,
  { epicId, caller, today }: EpicIssuesQuery,
  request: PageRequest,
): Promise<Page<EpicIssueRow>> {
  const kind = viewerKind(caller)
  return listPage(q, request, {
    shape: `epic-issues.of|${kind}`,
    args: { epicId, ...viewerArgs(caller, today) },
    stamp: ['issues', 'members', 'projects'],
    key: 'epicIssues.id',
    from: (db, $) => visibleIn(db, $, kind),
    order: (query) => query.orderBy('epicIssues.relativePosition').orderBy('epicIssues.id'),
    columns: (query) =>
      query
        .select(listedIssueColumns)
        .select(['epicIssues.id as epicIssueId', 'epicIssues.relativePosition']),
  })
}

/** Whether any issue that the caller may see is between two others. One query. */
export async function hasEpicIssueBetween(
  q: Queries,
  { epicId, caller, today }: EpicIssuesQuery,
  between: { after: number; before: number; exceptId: number },
): Promise<boolean> {
  const kind = viewerKind(caller)
  const args = { epicId, ...between, ...viewerArgs(caller, today) }
  const row = await q.first(`epic-issues.between|${kind}`, args, (db, $) =>
    visibleIn(db, $, kind)
      .where('epicIssues.relativePosition', '>', $('after'))
      .where('epicIssues.relativePosition', '<', $('before'))
      .where('epicIssues.id', '<>', $('exceptId'))
      .limit(1)
      .select('epicIssues.id'),
  )
  return row !== undefined
}

/** The issue of a link of the epic, if the caller may see it. One query. */
export function findEpicIssue(
  q: Queries,
  { epicId, caller, today, id }: EpicIssuesQuery & { id: number },
): Promise<EpicIssueRow | undefined> {
  const kind = viewerKind(caller)
  const args = { epicId, id, ...viewerArgs(caller, today) }
  return q.first(`epic-issues.find|${kind}`, args, (db, $) =>
    visibleIn(db, $, kind)
      .where('epicIssues.id', '=', $('id'))
      .select(issueColumns)
      .select(['epicIssues.id as epicIssueId', 'epicIssues.relativePosition']),
  )
}
