import {
  findSystemHookUser,
  listSystemHookGroups,
  listSystemHookProjects,
  type MembershipTerms,
  type SystemHookUser,
  type Transaction,
} from '@stithy/store'
import type { Change, ChangeKind } from '../../../platform/changes/change.ts'
import {
  enqueueSystemEvents,
  groupEvent,
  groupMemberEvent,
  keyEvent,
  projectEvent,
  type SystemEvent,
  teamEvent,
  userEvent,
} from './system-events.ts'

/** Whose membership of what began or ended. */
interface Membership {
  memberId: number
  memberships: readonly MembershipTerms[]
  at: number
}

async function membershipEvents(
  tx: Transaction,
  { memberId, memberships, at }: Membership,
  verb: 'add' | 'remove',
): Promise<SystemEvent[]> {
  const user = await findSystemHookUser(tx, memberId)
  if (user === undefined) return []
  const idsOf = (kind: MembershipTerms['sourceKind']) =>
    memberships.filter(({ sourceKind }) => sourceKind === kind).map(({ sourceId }) => sourceId)
  const [projectIds, groupIds] = [idsOf('project'), idsOf('group')]
  const projects = projectIds.length === 0 ? [] : await listSystemHookProjects(tx, projectIds)
  const groups = groupIds.length === 0 ? [] : await listSystemHookGroups(tx, groupIds)
  const direction = verb === 'add' ? 'add_to' : 'remove_from'
  return memberships.flatMap(({ sourceKind, sourceId, accessLevel }) => {
    const terms = { accessLevel, at }
    if (sourceKind === 'project') {
      const project = projects.find(({ id }) => id === sourceId)
      return project === undefined
        ? []
        : [teamEvent(`user_${direction}_team`, project, user, terms)]
    }
    const group = groups.find(({ id }) => id === sourceId)
    return group === undefined
      ? []
      : [groupMemberEvent(`user_${direction}_group`, group, user, terms)]
  })
}

export async function enqueueMemberSystemHooks(
  tx: Transaction,
  change: Change<'member.joined' | 'member.left' | 'member.expired'>,
): Promise<void> {
  const verb = change.kind === 'member.joined' ? 'add' : 'remove'
  await enqueueSystemEvents(tx, change.now, () =>
    membershipEvents(tx, { ...change, at: change.now }, verb),
  )
}

/** A new project, and its owner as a member if it is in a personal namespace. */
export async function enqueueNewProjectSystemHooks(
  tx: Transaction,
  { projectId, ownerId, now: at }: Change<'project.created'>,
): Promise<void> {
  await enqueueSystemEvents(tx, at, async () => {
    const projects = await listSystemHookProjects(tx, [projectId])
    const created = projects.map((project) => projectEvent('project_create', project))
    if (ownerId === null) return created
    const terms = { sourceKind: 'project', sourceId: projectId, accessLevel: 40 } as const
    const owner = { memberId: ownerId, memberships: [terms], at }
    return [...created, ...(await membershipEvents(tx, owner, 'add'))]
  })
}

/** A changed path is a rename, everything else an update. */
export async function enqueueProjectUpdateSystemHooks(
  tx: Transaction,
  { projectId, oldFullPath, now }: Change<'project.updated'>,
): Promise<void> {
  await enqueueSystemEvents(tx, now, async () => {
    const projects = await listSystemHookProjects(tx, [projectId])
    return projects.map((project) =>
      oldFullPath === undefined
        ? projectEvent('project_update', project)
        : projectEvent('project_rename', project, { old_path_with_namespace: oldFullPath }),
    )
  })
}

export async function enqueueProjectTransferSystemHooks(
  tx: Transaction,
  { projectId, oldFullPath, now }: Change<'project.transferred'>,
): Promise<void> {
  await enqueueSystemEvents(tx, now, async () => {
    const projects = await listSystemHookProjects(tx, [projectId])
    const more = { old_path_with_namespace: oldFullPath }
    return projects.map((project) => projectEvent('project_transfer', project, more))
  })
}

export async function enqueueProjectDeletionSystemHooks(
  tx: Transaction,
  { projectIds, now }: Change<'project.deleted'>,
): Promise<void> {
  if (projectIds.length === 0) return
  await enqueueSystemEvents(tx, now, async () => {
    const projects = await listSystemHookProjects(tx, projectIds)
    return projects.map((project) => projectEvent('project_destroy', project))
  })
}

/** A new group, and its creator as its owner. */
export async function enqueueNewGroupSystemHooks(
  tx: Transaction,
  { groupId, userId, now: at }: Change<'group.created'>,
): Promise<void> {
  await enqueueSystemEvents(tx, at, async () => {
    const groups = await listSystemHookGroups(tx, [groupId])
    const terms = { sourceKind: 'group', sourceId: groupId, accessLevel: 50 } as const
    const owner = { memberId: userId, memberships: [terms], at }
    return [
      ...groups.map((group) => groupEvent('group_create', group)),
      ...(await membershipEvents(tx, owner, 'add')),
    ]
  })
}

export async function enqueueGroupRenameSystemHooks(
  tx: Transaction,
  { groupId, oldPath, oldFullPath, now }: Change<'group.renamed'>,
): Promise<void> {
  await enqueueSystemEvents(tx, now, async () => {
    const groups = await listSystemHookGroups(tx, [groupId])
    const more = { old_path: oldPath, old_full_path: oldFullPath }
    return groups.map((group) => groupEvent('group_rename', group, more))
  })
}

export async function enqueueGroupDeletionSystemHooks(
  tx: Transaction,
  { groupIds, now }: Change<'group.deleted'>,
): Promise<void> {
  await enqueueSystemEvents(tx, now, async () => {
    const groups = await listSystemHookGroups(tx, groupIds)
    return groups.map((group) => groupEvent('group_destroy', group))
  })
}

type UserKind = Extract<
  ChangeKind,
  'user.created' | 'user.renamed' | 'user.deleted' | 'user.failed_login'
>

export async function enqueueUserSystemHooks(
  tx: Transaction,
  change: Change<UserKind>,
): Promise<void> {
  await enqueueSystemEvents(tx, change.now, async () => {
    const user = await findSystemHookUser(tx, userIdOf(change))
    return user === undefined ? [] : [eventOfUser(change, user)]
  })
}

function userIdOf(change: Change<UserKind>): number {
  switch (change.kind) {
    case 'user.created':
      return change.createdUserId
    case 'user.renamed':
      return change.renamedUserId
    case 'user.deleted':
      return change.deletedUserId
    case 'user.failed_login':
      return change.failedUserId
  }
}

function eventOfUser(change: Change<UserKind>, user: SystemHookUser): SystemEvent {
  switch (change.kind) {
    case 'user.created':
      return userEvent('user_create', user)
    case 'user.renamed':
      return userEvent('user_rename', user, { old_username: change.oldUsername })
    case 'user.deleted':
      return userEvent('user_destroy', user)
    case 'user.failed_login':
      return userEvent('user_failed_login', user, { state: user.state })
  }
}

export async function enqueueKeySystemHooks(
  tx: Transaction,
  { kind, keyId: id, key, ownerId, now: at }: Change<'key.created' | 'key.deleted'>,
): Promise<void> {
  await enqueueSystemEvents(tx, at, async () => {
    const owner = await findSystemHookUser(tx, ownerId)
    if (owner === undefined) return []
    const name = kind === 'key.created' ? 'key_create' : 'key_destroy'
    return [keyEvent(name, { id, key, username: owner.username, at })]
  })
}
