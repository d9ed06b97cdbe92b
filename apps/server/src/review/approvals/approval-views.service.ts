import type {
  ApprovalRule,
  ApprovalState as ApprovalStateView,
  MergeRequestApprovals,
  ProjectApprovals,
  UserRef,
} from '@stithy/core'
import {
  type ApprovalRuleRow,
  findApprovalSettings,
  type GroupRow,
  listApprovalRules,
  listVisibleGroups,
} from '@stithy/store'
import { presentGroup } from '../../directory/groups/group.presenter.ts'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { viewMergeRequests } from '../merge-requests/merge-request-views.service.ts'
import { loadApprovalState, mayApprove } from './approval-state.service.ts'
import { type Approvers, approverIdsOf, listedOf, loadApprovers } from './approvers.service.ts'

/**
 * The most users of an answer in all lists of one kind. A hundred rules that list the same large
 * group would otherwise show its members a hundred times.
 */
const maxShownUsers = 10_000

/** The people and groups of rules, as the caller sees them. */
interface Directory {
  app: App
  approvers: Approvers
  groups: ReadonlyMap<number, GroupRow>
  users: ReadonlyMap<number, UserRef>
  /** How many users are shown for each list of a rule. */
  maxUsers: number
}

/** Loads the users and the visible groups that rules list. Two queries. */
async function loadDirectory(
  app: App,
  caller: Caller,
  approvers: Approvers,
  userIds: readonly number[] = [],
): Promise<Directory> {
  const lists = [...approvers.listed.values()]
  const ids = lists.flatMap((list) => list.groupIds)
  const today = dayOf(app.now())
  const found =
    ids.length === 0 ? [] : await listVisibleGroups(app.db, { ids, caller: caller.facts, today })
  const groups = new Map(found.map((row) => [row.id, row]))
  const members = found.flatMap(({ id }) => approvers.members.get(id) ?? [])
  const listed = lists.flatMap((list) => list.userIds)
  const users = await userRefs(app, [...listed, ...members, ...userIds])
  const maxUsers = Math.floor(maxShownUsers / Math.max(1, lists.length))
  return { app, approvers, groups, users, maxUsers }
}

function presentUsers({ users }: Directory, ids: Iterable<number>): UserRef[] {
  return [...ids].flatMap((id) => users.get(id) ?? [])
}

function presentListedUsers(directory: Directory, ids: Iterable<number>): UserRef[] {
  return presentUsers(directory, ids).slice(0, directory.maxUsers)
}

function presentGroups({ app, groups }: Directory, ids: readonly number[]) {
  return ids.flatMap((id) => {
    const row = groups.get(id)
    return row === undefined ? [] : [presentGroup(app.config, { row })]
  })
}

/** Those of a rule's approvers that the caller may know: members of hidden groups are left out. */
function shownApprovers(directory: Directory, ruleId: number): Set<number> {
  return approverIdsOf(directory.approvers, ruleId, (id) => directory.groups.has(id))
}

function presentRule(
  directory: Directory,
  { id, name, approvalsRequired }: ApprovalRuleRow,
): ApprovalRule {
  const { userIds, groupIds } = listedOf(directory.approvers.listed, id)
  const approvers = presentListedUsers(directory, shownApprovers(directory, id))
  return {
    id,
    name,
    rule_type: 'regular',
    approvers,
    eligible_approvers: approvers,
    approvals_required: approvalsRequired,
    users: presentListedUsers(directory, userIds),
    groups: presentGroups(directory, groupIds),
    contains_hidden_groups: groupIds.some((groupId) => !directory.groups.has(groupId)),
  }
}

/** Presents rules. At most seven queries. @param excludedId a user who may not approve */
export async function viewRules(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  rules: readonly ApprovalRuleRow[],
  excludedId?: number,
): Promise<ApprovalRule[]> {
  const approvers = await loadApprovers(app, project, rules, { excludedId })
  const directory = await loadDirectory(app, caller, approvers)
  return rules.map((rule) => presentRule(directory, rule))
}

/** The approvers that are listed without a rule. */
function presentListed(directory: Directory, fallback: ApprovalRuleRow | undefined) {
  if (fallback === undefined) return { approvers: [], approver_groups: [] }
  const { userIds, groupIds } = listedOf(directory.approvers.listed, fallback.id)
  return {
    approvers: presentUsers(directory, userIds).map((user) => ({ user })),
    approver_groups: presentGroups(directory, groupIds).map((group) => ({ group })),
  }
}

/** Presents how merge requests into a project are approved. At most ten queries. */
export async function viewProjectApprovals(
  app: App,
  caller: Caller,
  { row: { id } }: ProjectSubject,
): Promise<ProjectApprovals> {
  const project = await loadProject(app, String(id), caller)
  const settings = await findApprovalSettings(app.db, id)
  const rules = await listApprovalRules(app.db, { projectId: id })
  const fallback = rules.find(({ kind }) => kind === 'fallback')
  const approvers =
    project === undefined || fallback === undefined
      ? nobody
      : await loadApprovers(app, project, [fallback])
  return {
    ...presentListed(await loadDirectory(app, caller, approvers), fallback),
    approvals_before_merge: project?.row.approvalsBeforeMerge ?? 0,
    reset_approvals_on_push: settings.resetApprovalsOnPush === 1,
    disable_overriding_approvers_per_merge_request: settings.disableOverridingApprovers === 1,
    merge_requests_author_approval: settings.mergeRequestsAuthorApproval === 1,
  }
}

const nobody: Approvers = { listed: new Map(), members: new Map(), eligible: new Set() }

/** Presents the approvals of a merge request. At most 19 queries. */
export async function viewApprovals(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<MergeRequestApprovals> {
  const callerId = caller.user?.id ?? 0
  const state = await loadApprovalState(app, item, callerId)
  const directory = await loadDirectory(app, caller, state.approvers, state.given)
  const [view] = await viewMergeRequests(app, caller, [item.row])
  if (view === undefined) throw new TypeError(`Merge request ${item.row.id} has no author`)
  const applied = [...state.rules.map(({ row }) => row.id)]
  if (applied.length === 0 && state.fallback !== undefined) applied.push(state.fallback.id)
  const listed = new Set(applied.flatMap((id) => [...shownApprovers(directory, id)]))
  const waiting = [...listed].filter((id) => !state.given.includes(id))
  return {
    id: view.id,
    iid: view.iid,
    project_id: view.project_id,
    title: view.title,
    description: view.description,
    state: view.state,
    created_at: view.created_at,
    updated_at: view.updated_at,
    merge_status: view.merge_status,
    approvals_required: sum(state.requirements.map((rule) => rule.approvalsRequired)),
    approvals_left: sum(state.requirements.map((rule) => rule.approvalsLeft)),
    approved_by: presentUsers(directory, state.given).map((user) => ({ user })),
    ...presentListed(directory, state.fallback),
    suggested_approvers: presentUsers(directory, waiting),
    user_has_approved: state.given.includes(callerId),
    user_can_approve: mayApprove(item, state, callerId),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Presents the rules that apply to a merge request. At most eleven queries. */
export async function viewApprovalState(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<ApprovalStateView> {
  const state = await loadApprovalState(app, item)
  const directory = await loadDirectory(app, caller, state.approvers, state.given)
  const rules = state.rules.map((rule) => ({
    ...presentRule(directory, rule.row),
    approvals_required: rule.approvalsRequired,
    source_rule: rule.source === undefined ? null : presentSource(rule.source),
    approved_by: presentUsers(directory, rule.approvedBy),
    approved: rule.approvalsLeft === 0,
  }))
  return { approval_rules_overwritten: state.overwritten, rules }
}

function presentSource({ id, name, approvalsRequired }: ApprovalRuleRow) {
  return { id, name, approvals_required: approvalsRequired }
}
