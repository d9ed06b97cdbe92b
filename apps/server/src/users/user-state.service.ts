import { forbidden } from '@stithy/core'
import { deleteSessionsOf, updateUser } from '@stithy/store'
import type { App } from '../app.ts'
import { keepAnAdministrator } from './last-administrator.ts'
import { requireUser } from './user.service.ts'

/**
 * Blocks a user, which ends the sessions; tokens and passwords are refused from now on.
 * @throws DomainError `not_found`, `forbidden` for oneself, the ghost and the last administrator.
 */
export async function blockUser(app: App, id: number, callerId: number | null): Promise<void> {
  const user = await requireUser(app, id)
  if (id === callerId) throw forbidden('You cannot block yourself.')
  if (user.kind !== 'human') throw forbidden('This user cannot be blocked.')
  if (user.state === 'blocked') return
  await app.db.transaction(async (tx) => {
    await keepAnAdministrator(tx, id, () =>
      forbidden('The last active administrator cannot be blocked.'),
    )
    await deleteSessionsOf(tx, id)
    await updateUser(tx, id, { state: 'blocked', updatedAt: app.now() })
  })
}

/** Lets a blocked user in again. @throws DomainError `not_found`. */
export async function unblockUser(app: App, id: number): Promise<void> {
  const user = await requireUser(app, id)
  if (user.state === 'active') return
  await app.db.transaction((tx) => updateUser(tx, id, { state: 'active', updatedAt: app.now() }))
}
