import type { CallerFacts } from '@stithy/core'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { type IssueRow, issueColumns } from '../issues/issue-row.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'
import type { ViewerArgs } from '../memberships.ts'
import { type MergeRequestRow, mergeRequestColumns } from '../merge-requests/merge-request-row.ts'
import { visibleMergeRequests } from '../merge-requests/merge-request-visibility.ts'
import { countRows, type Page, type PageRequest, selectPage } from '../page.ts'
import type { Param, Queries } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../visibility.ts'

/** The milestone whose contents are asked for, and by whom; `today` is `YYYY-MM-DD`. */
export interface MilestoneContents {
  milestoneId: number
  caller: CallerFacts
  today: string
}

export interface ContentArgs extends ViewerArgs {
  milestoneId: number
}

/** The arguments of `issuesOf`. */
export function contentArgs({ milestoneId, caller, today }: MilestoneContents): ContentArgs {
  return { milestoneId, ...viewerArgs(caller, today) }
}

type Issues = SelectQueryBuilder<Schema, 'issues' | 'projects', object>

/** The issues of a milestone that the caller may see, with their projects. */
export function issuesOf(db: Kysely<Schema>, $: Param<ContentArgs>, kind: ViewerKind): Issues {
  return db
    .selectFrom('issues')
    .crossJoin('projects')
    .whereRef('projects.id', '=', 'issues.projectId')
    .where('issues.milestoneId', '=', $('milestoneId'))
    .where(visibleIssues(kind, $))
}

/**
 * The issues of a milestone that the caller may see: those with the most important label first, and those without
 * such a label last, each the newest first (catalogue: planning, 1). Three queries and a stamp.
 */
export async function listMilestoneIssues(
  q: Queries,
  contents: MilestoneContents,
  request: PageRequest,
): Promise<Page<IssueRow>> {
  const kind = viewerKind(contents.caller)
  const args = contentArgs(contents)
  const total = await countRows(q, {
    shape: `milestones.issues|${kind}|count`,
    args,
    stamp: ['issues', 'members', 'projects'],
    build: (db, $) => issuesOf(db, $, kind).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  // Without priorities the index gives the order.
  const ranked = total > 0 && (await hasPriorities(q, args))
  const items = await selectPage(q, request, {
    shape: `milestones.issues|${kind}|${ranked ? 'ranked' : 'plain'}`,
    args,
    key: 'issues.id',
    from: (db, $) => issuesOf(db, $, kind),
    order: (query) => {
      const first = ranked ? query.orderBy(rank) : query
      return first.orderBy('issues.createdAt', 'desc').orderBy('issues.id', 'desc')
    },
    columns: (query) => query.select(issueColumns),
  })
  return { ...request, items, total }
}

/** The lowest number among the priorities of an issue's labels; a number past all where it has none. */
const rank = sql`coalesce((
  select min(p."priority") from "labelLinks" as l
  join "labelPriorities" as p on p."labelId" = l."labelId" and p."projectId" = "issues"."projectId"
  where l."targetType" = 'issue' and l."targetId" = "issues"."id"
), 2147483648)`

/** Whether any project that the milestone can have issues of gives labels priorities. */
async function hasPriorities(q: Queries, { milestoneId }: ContentArgs): Promise<boolean> {
  const row = await q.first('milestones.has-priorities', { milestoneId }, (db, $) =>
    db
      .selectFrom('milestones')
      .where('milestones.id', '=', $('milestoneId'))
      .where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom('labelPriorities')
              .whereRef('labelPriorities.projectId', '=', 'milestones.projectId')
              .select('labelPriorities.labelId'),
          ),
          eb.exists(
            eb
              .selectFrom('namespaceAncestors as below')
              .innerJoin('projects', 'projects.namespaceId', 'below.descendantId')
              .innerJoin('labelPriorities', 'labelPriorities.projectId', 'projects.id')
              .whereRef('below.ancestorId', '=', 'milestones.groupId')
              .select('labelPriorities.labelId'),
          ),
        ]),
      )
      .select('milestones.id'),
  )
  return row !== undefined
}

type Requests = SelectQueryBuilder<Schema, 'mergeRequests' | 'projects', object>

function requestsOf(db: Kysely<Schema>, $: Param<ContentArgs>, kind: ViewerKind): Requests {
  return db
    .selectFrom('mergeRequests')
    .crossJoin('projects')
    .whereRef('projects.id', '=', 'mergeRequests.projectId')
    .where('mergeRequests.milestoneId', '=', $('milestoneId'))
    .where('projects.deletedAt', 'is', null)
    .where(visibleMergeRequests(kind, $))
}

/** The merge requests of a milestone that the caller may see, the newest first. Two queries and a stamp. */
export async function listMilestoneMergeRequests(
  q: Queries,
  contents: MilestoneContents,
  request: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const kind = viewerKind(contents.caller)
  const args = contentArgs(contents)
  const total = await countRows(q, {
    shape: `milestones.merge-requests|${kind}|count`,
    args,
    stamp: ['mergeRequests', 'members', 'projects'],
    build: (db, $) => requestsOf(db, $, kind).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  const items = await selectPage(q, request, {
    shape: `milestones.merge-requests|${kind}`,
    args,
    key: 'mergeRequests.id',
    from: (db, $) => requestsOf(db, $, kind),
    order: (query) =>
      query.orderBy('mergeRequests.createdAt', 'desc').orderBy('mergeRequests.id', 'desc'),
    columns: (query) => query.select(mergeRequestColumns),
  })
  return { ...request, items, total }
}
