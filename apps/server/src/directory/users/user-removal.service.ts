import type { IncomingHttpHeaders } from 'node:http'
import { conflict, forbidden, notFound } from '@stithy/core'
import {
  deleteUserRow,
  enqueueJob,
  findSolelyOwnedGroups,
  findUser,
  findUserNamespace,
  findUserToDelete,
  removeAccess,
  type Transaction,
  updateNamespace,
  updateUser,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { removeAvatar } from '../../platform/uploads/avatar-files.ts'
import { moveContributions, removeContributions } from './contributions.service.ts'
import { ensureGhost } from './ghost.service.ts'
import { assertNotLastAdministrator } from './last-administrator.ts'

export const removeUserKind = 'user.remove'

export interface RemovalPayload {
  userId: number
  /** Deletes the user's contributions instead of moving them to the ghost user. */
  hard: boolean
}

/**
 * Deletes a user (`DELETE /users/:id`). The user, their personal projects and, with `hard`, the
 * groups without another owner are hidden immediately; a job does the rest.
 * @throws DomainError `not_found`, `forbidden` for the ghost user, `conflict` for the only owner of
 *   a group and the last administrator, `precondition_failed`.
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
    await assertNotLastAdministrator(tx, userId, () =>
      conflict('The last active administrator cannot be deleted'),
    )
    const solelyOwnedGroups = await findSolelyOwnedGroups(tx, { userId, today: dayOf(now) })
    if (solelyOwnedGroups.length > 0 && !hard) {
      throw conflict('The user is the only owner of a group and cannot be deleted')
    }
    const by = { userId: null, at: now, now }
    await recordChange(tx, {
      kind: 'user.deleted',
      ...by,
      deletedUserId: userId,
      solelyOwnedGroups,
    })
    await removeAccess(tx, userId)
    await hideUser(tx, userId, now)
    const payload: RemovalPayload = { userId, hard }
    await enqueueJob(tx, { queue: 'users', kind: removeUserKind, payload }, now)
  })
}

/** Frees the username and the e-mail address; no user can choose a name with a leading dash. */
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

/** Finishes the deletion of a user. Idempotent. */
export async function finishRemoval(app: App, { userId, hard }: RemovalPayload): Promise<void> {
  const user = await findUserToDelete(app.db, userId)
  if (user === undefined) return
  for (const finish of app.dependents.beforeUser) await finish(app, userId)
  if (hard) await removeContributions(app, userId)
  else await moveContributions(app, userId, await ensureGhost(app))
  await app.db.transaction((tx) => deleteUserRow(tx, userId))
  await removeAvatar(app.config, user.avatar)
}
