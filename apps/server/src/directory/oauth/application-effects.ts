import {
  hideApplicationsOf,
  listHiddenApplicationIds,
  lockUser,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Change } from '../../platform/changes/change.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { removeApplication } from './application.service.ts'

/**
 * Deletes the applications of a deleted user, whose tokens stop working at once. What they were
 * granted is removed by the job that removes the user.
 */
export async function deleteApplicationsOfUser(
  tx: Transaction,
  { deletedUserId: ownerId, userId, at, now }: Change<'user.deleted'>,
): Promise<void> {
  // Nobody registers another one meanwhile.
  await lockUser(tx, ownerId)
  for (const { id: applicationId, name } of await hideApplicationsOf(tx, { ownerId, now })) {
    const deleted = { applicationId, ownerId, name }
    await recordChange(tx, { kind: 'application.deleted', userId, at, now, ...deleted })
  }
}

/** Removes the remaining applications of a deleted user. Idempotent. */
export async function removeDeletedUserApplications(app: App, userId: number): Promise<void> {
  for (const id of await listHiddenApplicationIds(app.db, userId)) await removeApplication(app, id)
}
