import type { Kysely } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import {
  listedMergeRequestColumns,
  type MergeRequestRow,
  mergeRequestColumns,
} from './merge-request-row.ts'

/**
 * Merge requests by their ids, in no particular order; deleted ones, or those whose project is
 * being deleted, are left out.
 */
export function findMergeRequestsById(
  q: Queries,
  ids: readonly number[],
): Promise<MergeRequestRow[]> {
  return q.all('mergeRequests.by-ids', { ids }, (db, $) =>
    mergeRequestsById(db, $).select(mergeRequestColumns),
  )
}

/** The same as lists have them. */
export function listMergeRequestsById(
  q: Queries,
  ids: readonly number[],
): Promise<MergeRequestRow[]> {
  return q.all('mergeRequests.listed-by-ids', { ids }, (db, $) =>
    mergeRequestsById(db, $).select(listedMergeRequestColumns),
  )
}

function mergeRequestsById(db: Kysely<Schema>, $: Param<{ ids: readonly number[] }>) {
  return db
    .selectFrom('mergeRequests')
    .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
    .where(inList('mergeRequests.id', $('ids')))
    .where('projects.deletedAt', 'is', null)
}

/** Lists the assignees of several merge requests, those of each in order. One query. */
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
