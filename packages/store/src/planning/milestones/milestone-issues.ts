import type { CallerFacts } from '@stithy/core'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import {
  countList,
  isBeyond,
  type ListQuery,
  type Page,
  type PageRequest,
  selectPage,
} from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type IssueRow, listedIssueColumns } from '../issues/issue-row.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'

/** A milestone and the viewer of its items; `today` is `YYYY-MM-DD`. */
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
 * Lists the issues of a milestone that the caller may see by label priority, those without a
 * prioritized label last, and newest first among equals. Three queries and a stamp.
 */
export async function listMilestoneIssues(
  q: Queries,
  contents: MilestoneContents,
  request: PageRequest,
): Promise<Page<IssueRow>> {
  const kind = viewerKind(contents.caller)
  const args = contentArgs(contents)
  const count = await countList(q, {
    shape: `milestones.issues|${kind}|count`,
    args,
    stamp: ['issues', 'members', 'projects'],
    build: (db, $) => issuesOf(db, $, kind).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  const { total } = count
  if (isBeyond(request, total)) return { ...request, items: [], total }
  // Without priorities the index gives the order.
  const ranked = await hasPriorities(q, args)
  const list: ListQuery<ContentArgs, Schema, 'issues' | 'projects', IssueRow> = {
    shape: `milestones.issues|${kind}|${ranked ? 'ranked' : 'plain'}`,
    args,
    key: 'issues.id',
    from: (db, $) => issuesOf(db, $, kind),
    order: (query) => {
      const first = ranked ? query.orderBy(rank) : query
      return first.orderBy('issues.createdAt', 'desc').orderBy('issues.id', 'desc')
    },
    columns: (query) => query.select(listedIssueColumns),
  }
  return { ...request, items: await selectPage(q, request, list, count), total }
}

/**
 * The lowest number among the priorities of an issue's labels; a number above all if it has none.
 */
const rank = sql`coalesce((
  select min(p."priority") from "labelLinks" as l
  join "labelPriorities" as p on p."labelId" = l."labelId" and p."projectId" = "issues"."projectId"
  where l."targetType" = 'issue' and l."targetId" = "issues"."id"
), 2147483648)`

/** Whether any project whose issues the milestone can have prioritizes labels. */
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
