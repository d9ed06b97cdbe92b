import { forbidden } from '@stithy/core'
import { type Transaction, type UserRow, updateUser } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { endSessionsOf } from '../authentication/session.ts'
import { assertNotLastAdministrator } from './last-administrator.ts'
import { requireUser } from './user.service.ts'
import { recordUserChanges } from './user-changes.ts'

/**
 * Blocks a user and ends their sessions; tokens and passwords are rejected from now on.
 * @throws DomainError `not_found`, `forbidden` for oneself, the ghost user and the last
 *   administrator.
 */
export async function blockUser(app: App, id: number, callerId: number | null): Promise<void> {
  const user = await requireUser(app, id)
  if (id === callerId) throw forbidden('You cannot block yourself.')
  if (user.kind !== 'human') throw forbidden('This user cannot be blocked.')
  if (user.state === 'blocked') return
  await app.db.transaction(async (tx) => {
    await assertNotLastAdministrator(tx, id, () =>
      forbidden('The last active administrator cannot be blocked.'),
    )
    await endSessionsOf(tx, id)
    await setState(tx, user, 'blocked', app.now())
  })
}

/** Unblocks a user. @throws DomainError `not_found`. */
export async function unblockUser(app: App, id: number): Promise<void> {
  const user = await requireUser(app, id)
  if (user.state === 'active') return
  await app.db.transaction((tx) => setState(tx, user, 'active', app.now()))
}

async function setState(
  tx: Transaction,
  user: UserRow,
  state: UserRow['state'],
  now: number,
): Promise<void> {
  await updateUser(tx, user.id, { state, updatedAt: now })
  await recordUserChanges(tx, user, { state }, changeByCaller(now))
}
