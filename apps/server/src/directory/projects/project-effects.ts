import { findAllPersonalProjectIds, findPersonalProjectIds, type Transaction } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Change } from '../../platform/changes/change.ts'
import { deleteProjectsIn, removeProject } from './change/project-delete.service.ts'

/** Deletes the personal projects of a deleted user. */
export async function deletePersonalProjects(
  tx: Transaction,
  { deletedUserId, userId, at, now }: Change<'user.deleted'>,
): Promise<void> {
  const ids = await findPersonalProjectIds(tx, deletedUserId)
  await deleteProjectsIn(tx, ids, { userId, at, now })
}

/** Removes the remaining projects of a deleted user. Idempotent. */
export async function removeDeletedUserProjects(app: App, userId: number): Promise<void> {
  for (const projectId of await findAllPersonalProjectIds(app.db, userId)) {
    await removeProject(app, projectId)
  }
}
