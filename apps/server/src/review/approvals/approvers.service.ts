import {
  type ApprovalRuleRow,
  type ListedApprovers,
  listGroupMembers,
  listProjectReaders,
  listRuleApprovers,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { decideOn } from '../../platform/http/authorize.ts'

/** The users and groups that rules list, and those of the users who may approve. */
export interface Approvers {
  /** By the rule's id. */
  listed: ReadonlyMap<number, ListedApprovers>
  /** User ids of the direct members of the listed groups, by the group's id. */
  members: ReadonlyMap<number, readonly number[]>
  /** Of all these users, and of those that were asked for, the ones who may approve. */
  eligible: ReadonlySet<number>
}

/**
 * Loads the approvers of rules. At most five queries.
 * @param options.userIds further users to check; by default none
 * @param options.excludedId a user who may not approve: the author
 */
export async function loadApprovers(
  app: App,
  project: ProjectSubject,
  rules: readonly ApprovalRuleRow[],
  {
    userIds = [],
    excludedId,
  }: { userIds?: readonly number[]; excludedId?: number | undefined } = {},
): Promise<Approvers> {
  const ruleIds = rules.map(({ id }) => id)
  const listed = ruleIds.length === 0 ? new Map() : await listRuleApprovers(app.db, ruleIds)
  const lists = [...listed.values()] as ListedApprovers[]
  const groupIds = [...new Set(lists.flatMap((list) => list.groupIds))]
  const members = await loadMembers(app, groupIds, userIds)
  const known = [...lists.flatMap((list) => list.userIds), ...[...members.values()].flat()]
  const eligible = await filterEligible(app, project, [...known, ...userIds])
  if (excludedId !== undefined) eligible.delete(excludedId)
  return { listed, members, eligible }
}

async function loadMembers(
  app: App,
  groupIds: readonly number[],
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const found = await listGroupMembers(app.db, { groupIds, userIds, today: dayOf(app.now()) })
  const byGroup = Map.groupBy(found, ({ groupId }) => groupId)
  return new Map([...byGroup].map(([id, members]) => [id, members.map(({ userId }) => userId)]))
}

/** Filters users who may approve merge requests into a project. At most one query. */
export async function filterEligible(
  app: App,
  project: ProjectSubject,
  userIds: readonly number[],
): Promise<Set<number>> {
  const unique = [...new Set(userIds)]
  if (unique.length === 0) return new Set()
  const args = { projectId: project.row.id, userIds: unique, today: dayOf(app.now()) }
  const readers = await listProjectReaders(app.db, args)
  const allowed = readers.filter(({ facts, level }) => {
    // Who the approvers are does not change while a project is archived.
    const seen = { ...project, facts: { ...project.facts, level, archived: false } }
    return decideOn(app, 'project', 'admin_merge_requests', seen, { facts }).allowed
  })
  return new Set(allowed.map(({ facts }) => facts.userId))
}

/**
 * Ids of the users whom a rule lists, directly or as members of groups, and who may approve.
 * @param isShown restricts it to members of these groups
 */
export function approverIdsOf(
  { listed, members, eligible }: Approvers,
  ruleId: number,
  isShown: (groupId: number) => boolean = () => true,
): Set<number> {
  const { userIds, groupIds } = listedOf(listed, ruleId)
  const inGroups = groupIds.filter(isShown).flatMap((id) => members.get(id) ?? [])
  return new Set([...userIds, ...inGroups].filter((id) => eligible.has(id)))
}

/** The users and groups that a rule lists. */
export function listedOf(listed: Approvers['listed'], ruleId: number): ListedApprovers {
  return listed.get(ruleId) ?? { userIds: [], groupIds: [] }
}
