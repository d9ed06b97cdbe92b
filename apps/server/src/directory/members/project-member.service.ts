import {
  conflict,
  DomainError,
  expiryErrors,
  forbidden,
  inheritedLevelErrors,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  deleteExpiredMember,
  deleteProjectMember,
  findInheritedMembership,
  findMembership,
  findNamespaceLocks,
  insertMember,
  isUniqueViolation,
  type Transaction,
  updateMember,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { requireUser } from '../users/user.service.ts'
import type { MemberSubject } from './member-subjects.ts'
import { recordMemberUpdate } from './member-update.ts'

/** A requested membership. */
export interface MemberChange {
  access_level: number
  expires_at?: string | null | undefined
}

/**
 * @param first is done before, in the same transaction
 * @throws DomainError `not_found`, `conflict`, `validation_failed`, `method_not_allowed`
 */
export async function addProjectMember(
  app: App,
  caller: Caller,
  { row }: ProjectSubject,
  body: MemberChange & { user_id: number },
  first?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const user = await requireUser(app, body.user_id)
  const source = { sourceKind: 'project', sourceId: row.id } as const
  const locks = await findNamespaceLocks(app.db, row.namespaceId)
  if (locks.membership) {
    const message = 'The group locks the membership of its projects'
    throw new DomainError('method_not_allowed', { message })
  }
  const now = app.now()
  const key = { ...source, userId: user.id, today: dayOf(now) }
  if (await findMembership(app.db, key)) throw memberExistsError()
  await checkMember(app, row.namespaceId, 0, user.id, body)
  const by = { userId: caller.facts.userId ?? user.id, at: now, now }
  const terms = { ...source, accessLevel: body.access_level }
  const membership = { ...by, memberId: user.id, projectIds: [row.id] }
  await app.db
    .transaction(async (tx) => {
      await first?.(tx)
      const expired = await deleteExpiredMember(tx, key)
      // The new membership replaces the old one at once, so receivers of hooks hear of it alone.
      const ended = { ...membership, memberships: [] }
      if (expired) await recordChange(tx, { kind: 'member.expired', ...ended })
      await insertMember(tx, {
        ...terms,
        userId: user.id,
        expiresOn: body.expires_at ?? null,
        createdById: caller.facts.userId,
        createdAt: now,
      })
      const memberships = [terms]
      await recordChange(tx, { kind: 'member.joined', source, ...membership, memberships })
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? memberExistsError() : error
    })
}

/** The error for adding an existing member. */
export function memberExistsError(): DomainError {
  return conflict('Member already exists')
}

/**
 * Checks the rules that depend on the ancestor groups: with `minDistance` 0 the namespace itself is
 * included.
 * @throws DomainError `validation_failed`
 */
export async function checkMember(
  app: App,
  namespaceId: number,
  minDistance: 0 | 1,
  userId: number,
  change: MemberChange,
): Promise<void> {
  const today = dayOf(app.now())
  const key = { namespaceId, minDistance, userId, today }
  const inherited = await findInheritedMembership(app.db, key)
  const errors = {
    ...inheritedLevelErrors(change.access_level, inherited),
    ...expiryErrors(change.expires_at, today),
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors)
}

/** @throws DomainError `not_found`, `forbidden`, `validation_failed` */
export async function updateProjectMember(
  app: App,
  { row }: ProjectSubject,
  userId: number,
  change: MemberChange,
): Promise<void> {
  const key = { sourceKind: 'project', sourceId: row.id, userId } as const
  const member = await findMembership(app.db, { ...key, today: dayOf(app.now()) })
  if (member === undefined) throw notFound('Member')
  if (row.namespaceOwnerId === userId) throw forbidden()
  await checkMember(app, row.namespaceId, 0, userId, change)
  const expiresOn = change.expires_at === undefined ? member.expiresOn : change.expires_at
  const membership = { ...key, accessLevel: change.access_level, expiresOn }
  await app.db.transaction(async (tx) => {
    await updateMember(tx, membership)
    await recordMemberUpdate(tx, membership, member, app.now())
  })
}

/**
 * Removes a member that the caller may remove; the namespace's owner stays.
 * @throws DomainError `not_found`, `forbidden`
 */
export async function removeProjectMember(
  app: App,
  caller: Caller,
  { source: { row }, userId }: MemberSubject<ProjectSubject>,
): Promise<undefined> {
  const createdAt = app.now()
  const key = { sourceKind: 'project', sourceId: row.id, userId, today: dayOf(createdAt) } as const
  const member = await findMembership(app.db, key)
  if (member === undefined) throw notFound('Member')
  if (row.namespaceOwnerId === userId) throw forbidden()
  await app.db.transaction(async (tx) => {
    await deleteProjectMember(tx, { projectId: row.id, userId })
    await recordChange(tx, {
      kind: 'member.left',
      userId: caller.facts.userId ?? userId,
      at: createdAt,
      now: createdAt,
      memberId: userId,
      projectIds: [row.id],
      memberships: [member],
    })
  })
  return undefined
}
