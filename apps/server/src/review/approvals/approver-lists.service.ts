import { forbidden } from '@stithy/core'
import {
  enqueueJob,
  findApprovalSettings,
  type ListedApprovers,
  listVisibleGroups,
  setRuleApprovers,
  stampOf,
  type Transaction,
  touchStamp,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { type ApproverTodos, approverTodosKind } from './approver-todos.service.ts'
import { filterEligible } from './approvers.service.ts'

/** What rules belong to: a project, or one of its merge requests. */
export interface RuleScope {
  project: ProjectSubject
  item?: MergeRequestItem | undefined
}

/** The rules of a scope, as the store names it. */
export function ownerOf({ project, item }: RuleScope) {
  return item === undefined ? { projectId: project.row.id } : { mergeRequestId: item.row.id }
}

/** The approvers that a caller asks for; a list that is not given stays. */
export interface RequestedApprovers extends Partial<ListedApprovers> {
  /** Whether groups that the caller cannot see are removed. */
  removeHiddenGroups?: boolean | undefined
}

/** The lists of a rule before a change, and those that it replaces. */
export interface ApproversChange {
  before: ListedApprovers
  after: Partial<ListedApprovers>
}

/**
 * Plans the approvers of a rule: users who may approve, groups that the caller can see, and groups
 * that were listed before and are hidden from the caller. At most two queries.
 */
export async function planApprovers(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  before: ListedApprovers,
  { userIds, groupIds, removeHiddenGroups = false }: RequestedApprovers,
): Promise<ApproversChange> {
  const eligible = userIds && [...(await filterEligible(app, project, userIds))]
  const asked = groupIds ?? (removeHiddenGroups ? before.groupIds : undefined)
  if (asked === undefined) return { before, after: { userIds: eligible } }
  const ids = [...new Set([...asked, ...before.groupIds])]
  const args = { ids, caller: caller.facts, today: dayOf(app.now()) }
  const found = ids.length === 0 ? [] : await listVisibleGroups(app.db, args)
  const visible = new Set(found.map(({ id }) => id))
  const hidden = removeHiddenGroups ? [] : before.groupIds.filter((id) => !visible.has(id))
  const chosen = asked.filter((id) => visible.has(id))
  return { before, after: { userIds: eligible, groupIds: [...new Set([...chosen, ...hidden])] } }
}

/** Saves the approvers of a rule, and enqueues todos for those that a merge request gains. */
export async function saveApprovers(
  tx: Transaction,
  { project, item }: RuleScope,
  { ruleId, userId, now }: { ruleId: number; userId: number; now: number },
  { before, after }: ApproversChange,
): Promise<void> {
  await setRuleApprovers(tx, ruleId, after)
  touchStamp(tx, stampOf('mergeRequests', project.row.id))
  if (item === undefined) return
  const { userIds = [], groupIds = [] } = after
  const added = {
    userIds: userIds.filter((id) => !before.userIds.includes(id)),
    groupIds: groupIds.filter((id) => !before.groupIds.includes(id)),
  }
  if (added.userIds.length + added.groupIds.length === 0) return
  const payload: ApproverTodos = { id: item.row.id, authorId: userId, added }
  await enqueueJob(tx, { queue: 'default', kind: approverTodosKind, payload }, now)
}

/** Who changes something, and when. */
export function actorOf(app: App, caller: Caller): { userId: number; now: number } {
  return { userId: requireCaller(caller).id, now: app.now() }
}

/** @throws DomainError `forbidden` if merge requests may not override what the project requires. */
export async function requireOverriding(app: App, { row: { id } }: ProjectSubject): Promise<void> {
  const { disableOverridingApprovers } = await findApprovalSettings(app.db, id)
  if (disableOverridingApprovers === 1) {
    throw forbidden('The project does not let merge requests override its approvers')
  }
}
