import type { Kysely, SelectQueryBuilder } from 'kysely'
import { countRows, type Page, type PageRequest, selectPage } from '../page.ts'
import type { Param, Queries } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { inList } from '../sql.ts'
import { type MergeRequestRow, mergeRequestColumns } from './merge-request-row.ts'

interface CommitArgs {
  /** The target. */
  projectId: number
  sha: string
}

type Select = SelectQueryBuilder<Schema, 'mergeRequests', object>

/** The merge requests into a project whose newest version has a commit, the newest request first. */
export async function listMergeRequestsOfCommit(
  q: Queries,
  args: CommitArgs,
  request: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const total = await countRows(q, {
    shape: 'mergeRequests.ofCommit|count',
    args,
    stamp: 'mergeRequests',
    build: (db, $) => ofCommit(db, $).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  const items = await selectPage(q, request, {
    shape: 'mergeRequests.ofCommit',
    args,
    from: ofCommit,
    order: (query) => query.orderBy('mergeRequestCommits.mergeRequestId' as never, 'desc'),
    columns: (query) =>
      query
        .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
        .select(mergeRequestColumns),
    key: 'mergeRequests.id',
  })
  return { items, total, ...request }
}

/**
 * From the commit to the requests. The cross joins keep SQLite to this order: a commit is in few
 * versions, and their index gives the order of the list.
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

/** Who is assigned to the merge requests, in the order of each. One query. */
export function listMergeRequestAssignees(
  q: Queries,
  ids: readonly number[],
): Promise<{ mergeRequestId: number; userId: number }[]> {
  return q.all('mergeRequests.assignees', { ids }, (db, $) =>
    db
      .selectFrom('mergeRequestAssignees')
      .where(inList('mergeRequestAssignees.mergeRequestId', $('ids')))
      .orderBy('mergeRequestId')
      .orderBy('position')
      .select(['mergeRequestId', 'userId']),
  )
}
