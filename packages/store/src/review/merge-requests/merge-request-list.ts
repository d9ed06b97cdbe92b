import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { WorkItemRequest } from '../../planning/items/lists/work-item-filter.ts'
import { listWorkItems } from '../../planning/items/lists/work-item-list.ts'
import {
  searchWorkItems,
  type WorkItemSearch,
} from '../../planning/items/lists/work-item-search.ts'
import {
  listedMergeRequestColumns,
  type MergeRequestRow,
} from '../../planning/items/merge-request-row.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { stampOf } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { mergeRequestTable } from './work-item-table.ts'

interface CommitArgs {
  /** The target project. */
  projectId: number
  sha: string
}

type Select = SelectQueryBuilder<Schema, 'mergeRequests', object>

/** Lists a page of the merge requests that the caller may see. Queries as for `listWorkItems`. */
export function listMergeRequests(
  q: Queries,
  request: WorkItemRequest,
  page: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const columns = { columns: listedMergeRequestColumns }
  return listWorkItems<MergeRequestRow>(q, mergeRequestTable, columns, request, page)
}

/** Finds the merge requests of a search that the caller may see; see `searchWorkItems`. */
export function searchMergeRequests(
  q: Queries,
  search: WorkItemSearch,
): Promise<Page<MergeRequestRow>> {
  const columns = { columns: listedMergeRequestColumns }
  return searchWorkItems<MergeRequestRow>(q, mergeRequestTable, columns, search)
}

/** Lists the merge requests into a project whose newest version has a commit, newest first. */
export function listMergeRequestsOfCommit(
  q: Queries,
  args: CommitArgs,
  request: PageRequest,
): Promise<Page<MergeRequestRow>> {
  return listPage(q, request, {
    shape: 'mergeRequests.ofCommit',
    args,
    stamp: [stampOf('mergeRequests', args.projectId)],
    from: ofCommit,
    order: (query) => query.orderBy('mergeRequestCommits.mergeRequestId' as never, 'desc'),
    columns: (query) =>
      query
        .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
        .select(listedMergeRequestColumns),
    key: 'mergeRequests.id',
  })
}

/**
 * Joins from the commit to the merge requests. The cross joins keep SQLite to this order: a commit
 * is in few versions, and their index gives the order of the list.
 */
function ofCommit(db: Kysely<Schema>, $: Param<CommitArgs>): Select {
  const query = db
    .selectFrom('mergeRequestCommits')
    .crossJoin('mergeRequests')
    .crossJoin('mergeRequestVersions as newest')
    .where('mergeRequestCommits.projectId', '=', $('projectId'))
    .where('mergeRequestCommits.sha', '=', $('sha'))
    .whereRef('mergeRequests.id', '=', 'mergeRequestCommits.mergeRequestId')
    .whereRef('newest.id', '=', 'mergeRequests.latestVersionId')
    .whereRef('newest.commitsVersionId', '=', 'mergeRequestCommits.versionId')
  return query as unknown as Select
}
