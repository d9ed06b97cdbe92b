import { decideOnGroup, endsOwnership, forbidden, isLastOwner, notFound } from '@stithy/core'
import {
  deleteGroupMember,
  deleteLapsedMember,
  findMembership,
  insertMember,
  isUniqueViolation,
  listGroupOwners,
  lockNamespace,
  type Queries,
  recordEvents,
  updateMember,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import { removeHiddenTodosLater } from '../todos/lost-access.service.ts'
import { requireUser } from '../users/user.service.ts'
import { dayOf } from './day.ts'
import { alreadyMember, checkMember, type MemberChange } from './project-member.service.ts'

/** @throws DomainError `not_found`, `conflict`, `validation_failed` */
export async function addGroupMember(
  app: App,
  caller: Caller,
  { row }: GroupSubject,
  body: MemberChange & { user_id: number },
): Promise<void> {
  const user = await requireUser(app, body.user_id)
  const key = { sourceKind: 'group', sourceId: row.id, userId: user.id } as const
  const now = app.now()
  const today = dayOf(now)
  if (await findMembership(app.db, { ...key, today })) throw alreadyMember()
  await checkMember(app, row.id, 1, user.id, body)
  const member = {
    ...key,
    accessLevel: body.access_level,
    expiresOn: body.expires_at ?? null,
    createdById: caller.facts.userId,
    createdAt: now,
  }
  await app.db
    .transaction(async (tx) => {
      await deleteLapsedMember(tx, { ...key, today })
      await insertMember(tx, member)
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? alreadyMember() : error
    })
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
    if (endsOwnership(member, terms)) await keepAnOwner(tx, row.id, userId)
    await updateMember(tx, { ...key, ...terms })
  })
}

/** Looked at while the group is locked, so that no two owners leave at once. */
async function keepAnOwner(q: Queries, groupId: number, userId: number): Promise<void> {
  const owners = await listGroupOwners(q, { groupId })
  if (isLastOwner(owners, userId)) throw forbidden()
}

/** Owners remove anybody, everybody removes himself; the last owner stays. */
export async function removeGroupMember(
  app: App,
  caller: Caller,
  { row, facts }: GroupSubject,
  userId: number,
): Promise<undefined> {
  if (caller.facts.userId !== userId) {
    enforce(decideOnGroup('admin_group_members', caller.facts, facts), caller)
  }
  const createdAt = app.now()
  await app.db.transaction(async (tx) => {
    await lockNamespace(tx, row.id)
    const today = dayOf(createdAt)
    const key = { sourceKind: 'group', sourceId: row.id, userId, today } as const
    if ((await findMembership(tx, key)) === undefined) throw notFound('Member')
    await keepAnOwner(tx, row.id, userId)
    const projectIds = await deleteGroupMember(tx, { groupId: row.id, userId })
    const events = projectIds.map((projectId) => {
      return { projectId, authorId: userId, action: 'left' as const, createdAt }
    })
    await removeHiddenTodosLater(tx, { userId }, createdAt)
    await recordEvents(tx, events)
  })
  return undefined
}
