import {
  type LabelDetails,
  type MergeRequest,
  type Milestone,
  patternMatcher,
  type UserRef,
} from '@stithy/core'
import {
  type CollaborationBranch,
  listCollaborationBranches,
  listMergeRequestAssignees,
  type MergeRequestRow,
} from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import { withDescriptions } from '../../planning/items/lists/listed-descriptions.ts'
import { loadLabels } from '../../planning/labels/labelling.service.ts'
import { milestonesById } from '../../planning/milestones/milestone-views.service.ts'
import { subscribedTo } from '../../planning/subscriptions/subscription.service.ts'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/http/call.ts'
import { type MergeRequestOptions, presentMergeRequests } from './merge-request.presenter.ts'
import { withMergeStatus } from './mergeability.service.ts'

/**
 * Presents a page of merge requests. At most five queries, for users, labels, milestones and what
 * the caller is subscribed to, and one more if some allow collaboration; if a trial merge has to
 * determine the `merge_status`, at most three more.
 */
export async function viewMergeRequests(
  app: App,
  caller: Caller,
  page: readonly MergeRequestRow[],
  options: MergeRequestOptions = {},
): Promise<MergeRequest[]> {
  if (page.length === 0) return []
  const described = withDescriptions(app, 'mergeRequests', page, options.maxDescriptionLength)
  const rows = await withMergeStatus(app, described)
  const assigned = await assigneesOf(app, rows)
  const people = await userRefs(app, peopleOf(rows, assigned))
  const { labels, milestones } = await planningOf(app, rows, options.maxDescriptionLength)
  const ids = rows.map((row) => row.id)
  const subscribed = await subscribedTo(app, 'merge_request', ids, caller.facts.userId)
  const collaborating = await collaboratingOf(app, rows)
  const find = (id: number | null) => (id === null ? null : (people.get(id) ?? null))
  const views = rows.flatMap((row) => {
    const author = people.get(row.authorId)
    if (author === undefined) return []
    const assignees = (assigned.get(row.id) ?? []).map(find).filter((user) => user !== null)
    const state = { mergedBy: find(row.mergedById), closedBy: find(row.closedById) }
    const planning = {
      labels: labels.get(row.id) ?? [],
      milestone: row.milestoneId === null ? null : (milestones.get(row.milestoneId) ?? null),
    }
    const flags = { collaborating: collaborating.has(row.id), subscribed: subscribed.has(row.id) }
    return [{ row, author, assignees, ...state, ...planning, ...flags }]
  })
  return presentMergeRequests(app.config, views, options)
}

interface Planning {
  /** By the merge request's id. */
  labels: ReadonlyMap<number, readonly LabelDetails[]>
  /** By user id. */
  milestones: ReadonlyMap<number, Milestone>
}

async function planningOf(
  app: App,
  rows: readonly MergeRequestRow[],
  maxDescriptionLength: number | undefined,
): Promise<Planning> {
  const labelled = rows.filter((row) => row.labelCount > 0).map((row) => row.id)
  const planned = rows.flatMap(({ milestoneId }) => milestoneId ?? [])
  return {
    labels: await loadLabels(app, 'merge_request', labelled),
    milestones: await milestonesById(app, planned, maxDescriptionLength),
  }
}

/**
 * User ids of the assignees by merge request id: several are stored in every tier, and shown by
 * some.
 */
async function assigneesOf(
  app: App,
  rows: readonly MergeRequestRow[],
): Promise<Map<number, UserRef['id'][]>> {
  const several = tierAllows(app.config.tier, 'premium')
  const byRequest = new Map<number, number[]>()
  const ids = rows.filter((row) => row.assigneeCount > 0).map((row) => row.id)
  if (ids.length === 0) return byRequest
  for (const { mergeRequestId, userId } of await listMergeRequestAssignees(app.db, ids)) {
    const known = byRequest.get(mergeRequestId) ?? []
    if (known.length === 0 || several) byRequest.set(mergeRequestId, [...known, userId])
  }
  return byRequest
}

/**
 * The ids of those whose source branch the members of the target may push to: from a fork that
 * allows it, as long as neither project is private and the branch is not protected.
 */
async function collaboratingOf(
  app: App,
  rows: readonly MergeRequestRow[],
): Promise<ReadonlySet<number>> {
  const ids = rows.filter(allowsCollaboration).map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const branches = await listCollaborationBranches(app.db, ids)
  const isProtected = ({ branch, protectedName }: CollaborationBranch) =>
    protectedName !== null && patternMatcher(protectedName)(branch)
  const guarded = new Set(branches.filter(isProtected).map(({ id }) => id))
  return new Set(branches.flatMap(({ id }) => (guarded.has(id) ? [] : id)))
}

function allowsCollaboration(row: MergeRequestRow): boolean {
  return row.sourceProjectId !== row.projectId && row.allowCollaboration === 1
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
