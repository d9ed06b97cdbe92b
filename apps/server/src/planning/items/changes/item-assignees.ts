import type { SystemNote, SystemNoteUser } from '@stithy/core'
import { findUserRefs, type Transaction } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { tierAllows } from '../../../platform/config/config.ts'
import type { WorkItemDraft } from '../item.ts'
import { filterReaders } from '../readers.service.ts'
import type { ItemChange } from './item-change.ts'

/** The planned assignees: ids of users who can be assigned. */
export interface AssigneePlan {
  /** Replaces all current assignees. */
  replace?: readonly number[] | undefined
  add: readonly number[]
  remove: readonly number[]
}

/** The assignees before and after a change: ids, in order. */
export interface Assigned {
  before: readonly number[]
  after: readonly number[]
}

/**
 * Filters users who can be assigned, in their order: those who may read the item. The community
 * tier keeps the first only. At most one query.
 */
export async function filterAssignable(
  app: App,
  item: WorkItemDraft,
  userIds: readonly number[],
): Promise<number[]> {
  const uniqueIds = [...new Set(userIds)].filter((id) => id > 0)
  if (uniqueIds.length === 0) return []
  const readers = await filterReaders(app, item, uniqueIds)
  const allowed = uniqueIds.filter((id) => readers.has(id))
  return tierAllows(app.config.tier, 'premium') ? allowed : allowed.slice(0, 1)
}

/** Plans the assignees of an item; undefined if they do not change. At most two queries. */
export async function planAssignees(
  app: App,
  item: WorkItemDraft,
  { assigneeIds, addAssigneeIds = [], removeAssigneeIds = [] }: ItemChange,
): Promise<AssigneePlan | undefined> {
  const replace = assigneeIds && (await planReplacement(app, item, assigneeIds))
  const add = await filterAssignable(app, item, addAssigneeIds)
  if (replace === undefined && add.length === 0 && removeAssigneeIds.length === 0) return undefined
  return { replace, add, remove: removeAssigneeIds }
}

/** Undefined, which changes nothing, if none of the given users can be assigned. */
async function planReplacement(
  app: App,
  item: WorkItemDraft,
  ids: readonly number[],
): Promise<number[] | undefined> {
  const allowed = await filterAssignable(app, item, ids)
  return allowed.length === 0 && ids.some((id) => id !== 0) ? undefined : allowed
}

/** The assignees after a plan, in order. In tiers with one assignee, a new one replaces it. */
export function nextAssignees(
  before: readonly number[],
  plan: AssigneePlan,
  allowsMultiple: boolean,
): number[] {
  const next = new Set([...(plan.replace ?? before), ...plan.add])
  for (const id of plan.remove) next.delete(id)
  const [first] = plan.add.length > 0 ? plan.add : next
  return allowsMultiple ? [...next] : first === undefined ? [] : [first]
}

/** The system notes on changed assignees. At most one query. */
export async function assigneeNotes(
  tx: Transaction,
  assigned: Assigned | undefined,
): Promise<SystemNote[]> {
  if (assigned === undefined) return []
  const { before, after } = assigned
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  if (added.length + removed.length === 0) return []
  const users = await findUserRefs(tx, [...added, ...removed])
  const names = new Map(users.map(({ id, username }) => [id, { id, username }]))
  // Users who were deleted concurrently are left out.
  const noted = (ids: readonly number[]): SystemNoteUser[] =>
    ids.flatMap((id) => names.get(id) ?? [])
  if (names.size === 0) return []
  return [{ action: 'assignees_changed', added: noted(added), removed: noted(removed) }]
}
