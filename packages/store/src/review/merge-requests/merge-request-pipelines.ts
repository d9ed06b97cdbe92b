import type { PipelineSummaryRow } from '../../ci/pipelines/pipeline-store.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries } from '../../platform/queries/queries.ts'

interface SourceBranch {
  /** Of the source. */
  projectId: number
  branch: string
  mergeRequestId: number
}

/**
 * Lists the pipelines of a source branch that ran for a commit of one of the merge request's
 * versions, newest first.
 */
export function listMergeRequestPipelines(
  q: Queries,
  args: SourceBranch,
  request: PageRequest,
): Promise<Page<PipelineSummaryRow>> {
  return listPage(q, request, {
    shape: 'mergeRequests.pipelines',
    args,
    stamp: undefined,
    key: 'pipelines.id',
    from: (db, $) =>
      db
        .selectFrom('pipelines')
        .where('pipelines.projectId', '=', $('projectId'))
        .where('pipelines.ref', '=', $('branch'))
        .where('pipelines.tag', '=', 0)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('mergeRequestCommits')
              .innerJoin('mergeRequests', 'mergeRequests.id', 'mergeRequestCommits.mergeRequestId')
              .whereRef('mergeRequestCommits.projectId', '=', 'mergeRequests.projectId')
              .whereRef('mergeRequestCommits.sha', '=', 'pipelines.sha')
              .where('mergeRequestCommits.mergeRequestId', '=', $('mergeRequestId'))
              .select('mergeRequestCommits.sha'),
          ),
        ),
    order: (query) => query.orderBy('pipelines.id', 'desc'),
    columns: (query) =>
      query.select(['pipelines.id', 'pipelines.ref', 'pipelines.sha', 'pipelines.status']),
  })
}
