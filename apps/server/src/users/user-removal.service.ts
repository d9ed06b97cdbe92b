import type { IncomingHttpHeaders } from 'node:http'
import { conflict, forbidden, notFound } from '@stithy/core'
import {
  deleteUserRow,
  enqueueJob,
  findHeldProjectIds,
  findLeavingUser,
  findPersonalProjectIds,
  findSoleGroups,
  findUser,
  findUserNamespace,
  removeAccess,
  type Transaction,
  updateNamespace,
  updateUser,
} from '@stithy/store'
import type { App } from '../app.ts'
import { deleteGroupsIn } from '../groups/group-delete.service.ts'
import { dayOf } from '../members/day.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import { deleteProjectsIn, removeProject } from '../projects/change/project-delete.service.ts'
import { removeAvatar } from '../uploads/avatar-files.ts'
import { moveContributions, removeContributions } from './contributions.service.ts'
import { ensureGhost } from './ghost.service.ts'
import { keepAnAdministrator } from './last-administrator.ts'

export const removeUserKind = 'user.remove'

export interface RemovalPayload {
  userId: number
  /** What the user wrote goes as well, instead of moving to the ghost. */
  hard: boolean
}

/**
 * Deletes a user (document 3, DELETE /users/:id; catalogue: users). Nobody finds the user, the personal
 * projects or, with `hard`, the groups that nobody else owns from now on; a job does the rest.
 * @throws DomainError `not_found`, `forbidden` for the ghost, `conflict` for the only owner of a group and
 *   the last administrator, `precondition_failed`.
 */
export async function removeUser(
  app: App,
  userId: number,
  { hard, headers }: { hard: boolean; headers: IncomingHttpHeaders },
): Promise<void> {
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const user = await findUser(tx, userId)
    if (user === undefined) throw notFound('User')
    if (user.kind !== 'human') throw forbidden('This user cannot be deleted.')
    requireUnmodified(headers, user.updatedAt)
    await keepAnAdministrator(tx, userId, () =>
      conflict('The last active administrator cannot be deleted'),
    )
    const soleGroups = await findSoleGroups(tx, { userId, today: dayOf(now) })
    if (soleGroups.length > 0 && !hard) {
      throw conflict('The user is the only owner of a group and cannot be deleted')
    }
    await deleteGroupsIn(tx, soleGroups, now)
    await deleteProjectsIn(tx, await findPersonalProjectIds(tx, userId), now)
    await removeAccess(tx, userId)
    await hideUser(tx, userId, now)
    const payload: RemovalPayload = { userId, hard }
    await enqueueJob(tx, { queue: 'users', kind: removeUserKind, payload }, now)
  })
  app.wakeWorker()
}

/** Frees the username and the e-mail address: a leading dash is what no user may choose. */
async function hideUser(tx: Transaction, userId: number, now: number): Promise<void> {
  const placeholder = `-leaving-${userId}`
  const namespace = await findUserNamespace(tx, userId)
  if (namespace !== undefined) {
    const names = { name: placeholder, path: placeholder, fullPath: placeholder }
    await updateNamespace(tx, namespace.id, { ...names, deletedAt: now })
  }
  await updateUser(tx, userId, {
    kind: 'leaving',
    state: 'blocked',
    username: placeholder,
    email: placeholder,
    passwordHash: null,
    updatedAt: now,
  })
}

/** Does what is left of a deletion; may be run again. */
export async function finishRemoval(app: App, { userId, hard }: RemovalPayload): Promise<void> {
  const user = await findLeavingUser(app.db, userId)
  if (user === undefined) return
  for (const projectId of await findHeldProjectIds(app.db, userId)) {
    await removeProject(app, projectId)
  }
  if (hard) await removeContributions(app, userId)
  else await moveContributions(app, userId, await ensureGhost(app))
  await app.db.transaction((tx) => deleteUserRow(tx, userId))
  await removeAvatar(app.config, user.avatar)
}
