import {
  conflict,
  DomainError,
  decideOnProject,
  expiryErrors,
  forbidden,
  inheritedLevelErrors,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  deleteLapsedMember,
  deleteProjectMember,
  findInheritedMembership,
  findMembership,
  findNamespaceLocks,
  insertMember,
  isUniqueViolation,
  recordEvent,
  updateMember,
} from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { removeHiddenTodosLater } from '../todos/lost-access.service.ts'
import { requireUser } from '../users/user.service.ts'
import { dayOf } from './day.ts'

/** A membership as callers ask for it. */
export interface MemberChange {
  access_level: number
  expires_at?: string | null | undefined
}

/** @throws DomainError `not_found`, `conflict`, `validation_failed`, `method_not_allowed` */
export async function addProjectMember(
  app: App,
  caller: Caller,
  { row }: ProjectSubject,
  body: MemberChange & { user_id: number },
): Promise<void> {
  const user = await requireUser(app, body.user_id)
  const source = { sourceKind: 'project', sourceId: row.id } as const
  const locks = await findNamespaceLocks(app.db, row.namespaceId)
  if (locks.membership) {
    const message = 'The group does not let projects have members of their own'
    throw new DomainError('method_not_allowed', { message })
  }
  const now = app.now()
  const key = { ...source, userId: user.id, today: dayOf(now) }
  if (await findMembership(app.db, key)) throw alreadyMember()
  await checkMember(app, row.namespaceId, 0, user.id, body)
  const event = { projectId: row.id, authorId: user.id, createdAt: now }
  await app.db
    .transaction(async (tx) => {
      const lapsed = await deleteLapsedMember(tx, key)
      if (lapsed) await recordEvent(tx, { ...event, action: 'expired' })
      await insertMember(tx, {
        ...source,
        userId: user.id,
        accessLevel: body.access_level,
        expiresOn: body.expires_at ?? null,
        createdById: caller.facts.userId,
        createdAt: now,
      })
      await recordEvent(tx, { ...event, action: 'joined' })
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? alreadyMember() : error
    })
}

/** What adding a member a second time answers. */
export function alreadyMember(): DomainError {
  return conflict('Member already exists')
}

/**
 * Holds a membership to the rules that need the groups around: `minDistance` 0 looks at the namespace
 * itself too. @throws DomainError `validation_failed`
 */
export async function checkMember(
  app: App,
  namespaceId: number,
  minDistance: 0 | 1,
  userId: number,
  change: MemberChange,
): Promise<void> {
  const today = dayOf(app.now())
  const place = { namespaceId, minDistance, userId, today }
  const inherited = await findInheritedMembership(app.db, place)
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
  await app.db.transaction((tx) =>
    updateMember(tx, { ...key, accessLevel: change.access_level, expiresOn }),
  )
}

/** Maintainers remove anybody, everybody removes himself; the owner stays. */
export async function removeProjectMember(
  app: App,
  caller: Caller,
  { row, facts }: ProjectSubject,
  userId: number,
): Promise<undefined> {
  if (caller.facts.userId !== userId) {
    enforce(decideOnProject('admin_members', caller.facts, facts), caller)
  }
  const createdAt = app.now()
  const key = { sourceKind: 'project', sourceId: row.id, userId, today: dayOf(createdAt) } as const
  if ((await findMembership(app.db, key)) === undefined) throw notFound('Member')
  if (row.namespaceOwnerId === userId) throw forbidden()
  await app.db.transaction(async (tx) => {
    await deleteProjectMember(tx, { projectId: row.id, userId })
    await removeHiddenTodosLater(tx, { userId }, createdAt)
    await recordEvent(tx, { projectId: row.id, authorId: userId, action: 'left', createdAt })
  })
  return undefined
}
