import type { MergeRequest, UserRef } from '@stithy/core'
import { listMergeRequestAssignees, type MergeRequestRow } from '@stithy/store'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import { userRefs } from '../users/user-views.service.ts'
import { presentMergeRequests } from './merge-request.presenter.ts'
import { withMergeStatus } from './mergeability.service.ts'

/**
 * A page of merge requests as lists show it. Two queries for the people and, where a merge has to be tried
 * to tell the `merge_status`, at most three more.
 */
export async function viewMergeRequests(
  app: App,
  page: readonly MergeRequestRow[],
): Promise<MergeRequest[]> {
  if (page.length === 0) return []
  const rows = await withMergeStatus(app, page)
  const assigned = await assigneesOf(app, rows)
  const people = await userRefs(app, peopleOf(rows, assigned))
  const find = (id: number | null) => (id === null ? null : (people.get(id) ?? null))
  const views = rows.flatMap((row) => {
    const author = people.get(row.authorId)
    if (author === undefined) return []
    const assignees = (assigned.get(row.id) ?? []).map(find).filter((user) => user !== null)
    const state = { mergedBy: find(row.mergedById), closedBy: find(row.closedById) }
    return [{ row, author, assignees, ...state }]
  })
  return presentMergeRequests(app.config, views)
}

/** Ids of the assignees by that of the request: several are kept in every tier, and shown by some. */
async function assigneesOf(
  app: App,
  rows: readonly MergeRequestRow[],
): Promise<Map<number, UserRef['id'][]>> {
  const several = tierAllows(app.config.tier, 'premium')
  const byRequest = new Map<number, number[]>()
  const ids = rows.map((row) => row.id)
  for (const { mergeRequestId, userId } of await listMergeRequestAssignees(app.db, ids)) {
    const known = byRequest.get(mergeRequestId) ?? []
    if (known.length === 0 || several) byRequest.set(mergeRequestId, [...known, userId])
  }
  return byRequest
}

function peopleOf(
  rows: readonly MergeRequestRow[],
  assigned: ReadonlyMap<number, readonly number[]>,
): number[] {
  const inRows = rows.flatMap(({ authorId, mergedById, closedById }) => [
    authorId,
    mergedById ?? authorId,
    closedById ?? authorId,
  ])
  return [...inRows, ...[...assigned.values()].flat()]
}
