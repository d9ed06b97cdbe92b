import type { Queries } from '../queries.ts'
import { inList } from '../sql.ts'
import { type MergeRequestRow, mergeRequestColumns } from './merge-request-row.ts'

/** Merge requests by their ids, in no order; those that are gone, or whose project is going, are left out. */
export function findMergeRequestsById(
  q: Queries,
  ids: readonly number[],
): Promise<MergeRequestRow[]> {
  return q.all('mergeRequests.by-ids', { ids }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .select(mergeRequestColumns)
      .where(inList('mergeRequests.id', $('ids')))
      .where('projects.deletedAt', 'is', null),
  )
}
