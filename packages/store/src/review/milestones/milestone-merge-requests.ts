import type { Kysely, SelectQueryBuilder } from 'kysely'
import { type ViewerKind, viewerKind } from '../../directory/members/visibility.ts'
import {
  listedMergeRequestColumns,
  type MergeRequestRow,
} from '../../planning/items/merge-request-row.ts'
import { visibleMergeRequests } from '../../planning/items/merge-request-visibility.ts'
import {
  type ContentArgs,
  contentArgs,
  type MilestoneContents,
} from '../../planning/milestones/milestone-issues.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

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

/**
 * Lists the merge requests of a milestone that the caller may see, newest first. Two queries and a
 * stamp.
 */
export function listMilestoneMergeRequests(
  q: Queries,
  contents: MilestoneContents,
  request: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const kind = viewerKind(contents.caller)
  const args = contentArgs(contents)
  return listPage(q, request, {
    shape: `milestones.merge-requests|${kind}`,
    args,
    stamp: ['mergeRequests', 'members', 'projects'],
    key: 'mergeRequests.id',
    from: (db, $) => requestsOf(db, $, kind),
    order: (query) =>
      query.orderBy('mergeRequests.createdAt', 'desc').orderBy('mergeRequests.id', 'desc'),
    columns: (query) => query.select(listedMergeRequestColumns),
  })
}
