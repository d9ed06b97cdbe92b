import { endsOwnership, forbidden, isLastOwner, notFound } from '@stithy/core'
import {
  deleteExpiredMember,
  deleteGroupMember,
  findInheritedMembership,
  findMembership,
  insertMember,
  isUniqueViolation,
  listGroupOwners,
  lockNamespace,
  type Queries,
  type Transaction,
  updateMember,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import { requireUser } from '../users/user.service.ts'
import type { MemberSubject } from './member-subjects.ts'
import { recordMemberUpdate } from './member-update.ts'
import { checkMember, type MemberChange, memberExistsError } from './project-member.service.ts'

/**
 * @param first is done before, in the same transaction
 * @throws DomainError `not_found`, `conflict`, `validation_failed`
 */
export async function addGroupMember(
  app: App,
  caller: Caller,
  { row }: GroupSubject,
  body: MemberChange & { user_id: number },
  first?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const user = await requireUser(app, body.user_id)
  const source = { sourceKind: 'group', sourceId: row.id } as const
  const key = { ...source, userId: user.id }
  const now = app.now()
  const today = dayOf(now)
  if (await findMembership(app.db, { ...key, today })) throw memberExistsError()
  await checkMember(app, row.id, 1, user.id, body)
  const by = { userId: caller.facts.userId ?? user.id, at: now, now }
  const member = {
    ...key,
    accessLevel: body.access_level,
    expiresOn: body.expires_at ?? null,
    createdById: caller.facts.userId,
    createdAt: now,
  }
  await app.db
    .transaction(async (tx) => {
      await first?.(tx)
      await deleteExpiredMember(tx, { ...key, today })
      await insertMember(tx, member)
      await recordChange(tx, {
        kind: 'member.joined',
        source,
        memberId: user.id,
        projectIds: [],
        memberships: [{ ...source, accessLevel: body.access_level }],
        ...by,
      })
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? memberExistsError() : error
    })
}

/**
 * Makes a user a member of a group, at the level inherited from its ancestors if that is higher;
 * a member stays as they are.
 */
export async function ensureGroupMember(
  tx: Transaction,
  { groupId, userId, accessLevel, now }: Omit<Leaving, 'by'> & { accessLevel: number },
): Promise<void> {
  const source = { sourceKind: 'group', sourceId: groupId } as const
  const key = { ...source, userId, today: dayOf(now) }
  if ((await findMembership(tx, key)) !== undefined) return
  const above = { namespaceId: groupId, minDistance: 1, userId, today: key.today }
  const inherited = await findInheritedMembership(tx, above)
  await deleteExpiredMember(tx, key)
  const terms = {
    ...source,
    accessLevel: Math.max(accessLevel, inherited?.accessLevel ?? 0),
  }
  await insertMember(tx, {
    ...terms,
    userId,
    expiresOn: null,
    createdById: null,
    createdAt: now,
  })
  const joined = { memberId: userId, projectIds: [], memberships: [terms] }
  const by = { userId, at: now, now }
  await recordChange(tx, { kind: 'member.joined', source, ...joined, ...by })
}

/** @throws DomainError `not_found`, `forbidden`, `validation_failed` */
export async function updateGroupMember(
  app: App,
  { row }: GroupSubject,
  userId: number,
  change: MemberChange,
): Promise<void> {
  const key = { sourceKind: 'group', sourceId: row.id, userId } as const
  const today = dayOf(app.now())
  if ((await findMembership(app.db, { ...key, today })) === undefined) throw notFound('Member')
  await checkMember(app, row.id, 1, userId, change)
  await app.db.transaction(async (tx) => {
    await lockNamespace(tx, row.id)
    const member = await findMembership(tx, { ...key, today })
    if (member === undefined) throw notFound('Member')
    const expiresOn = change.expires_at === undefined ? member.expiresOn : change.expires_at
    const terms = { accessLevel: change.access_level, expiresOn }
    if (endsOwnership(member, terms)) await assertNotLastOwner(tx, row.id, userId)
    await updateMember(tx, { ...key, ...terms })
    await recordMemberUpdate(tx, { ...key, ...terms }, member, app.now())
  })
}

/**
 * Requires another owner. Called while the group is locked, so that two owners can't leave at once.
 */
async function assertNotLastOwner(q: Queries, groupId: number, userId: number): Promise<void> {
  const owners = await listGroupOwners(q, { groupId })
  if (isLastOwner(owners, userId)) throw forbidden()
}

/**
 * Removes a member that the caller may remove; the last owner stays.
 * @throws DomainError `not_found`, `forbidden`
 */
export async function removeGroupMember(
  app: App,
  caller: Caller,
  { source: { row }, userId }: MemberSubject<GroupSubject>,
): Promise<undefined> {
  const leaving = { groupId: row.id, userId, by: caller.facts.userId ?? userId, now: app.now() }
  await app.db.transaction(async (tx) => {
    await lockNamespace(tx, row.id)
    const key = {
      sourceKind: 'group',
      sourceId: row.id,
      userId,
      today: dayOf(leaving.now),
    } as const
    if ((await findMembership(tx, key)) === undefined) throw notFound('Member')
    await leaveGroup(tx, leaving)
  })
  return undefined
}

/** Who leaves which group. */
interface Leaving {
  groupId: number
  userId: number
  /** Id of who removes the member. */
  by: number
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * Removes a user from a group that is locked, and from all that is in it.
 * @throws DomainError `forbidden` for the last owner
 */
export async function leaveGroup(
  tx: Transaction,
  { groupId, userId, by, now }: Leaving,
): Promise<void> {
  await assertNotLastOwner(tx, groupId, userId)
  const memberships = await deleteGroupMember(tx, { groupId, userId })
  const projects = memberships.filter(({ sourceKind }) => sourceKind === 'project')
  const projectIds = projects.map(({ sourceId }) => sourceId)
  const actor = { userId: by, at: now, now }
  const left = { memberId: userId, projectIds, memberships }
  await recordChange(tx, { kind: 'member.left', ...left, ...actor })
}
