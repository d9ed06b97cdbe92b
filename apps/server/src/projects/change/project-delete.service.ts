import { removeRepository } from '@stithy/git'
import {
  closeMergeRequestsFrom,
  deleteProjectRows,
  enqueueJob,
  findDoomedProject,
  markProjectsDeleted,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../app.ts'
import { removeItemsOfProject } from '../../items/holder-removal.service.ts'
import { removeAvatar } from '../../uploads/avatar-files.ts'
import { removeProjectKind } from '../create/project-create.service.ts'
import { repositoryOfId } from '../create/project-repository.ts'

/** Hides projects at once, and lets jobs remove what they hold. */
export async function deleteProjectsIn(
  tx: Transaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  await closeMergeRequestsFrom(tx, { projectIds: ids, now })
  await markProjectsDeleted(tx, { ids, now })
  for (const projectId of ids) {
    const job = { queue: 'projects', kind: removeProjectKind, payload: { projectId } }
    await enqueueJob(tx, job, now)
  }
}

/** Deletes one project; its contents go in the background. */
export async function deleteProject(app: App, id: number): Promise<void> {
  const now = app.now()
  await app.db.transaction((tx) => deleteProjectsIn(tx, [id], now))
  app.wakeWorker()
}

/** Removes all that a deleted project, or a draft of one, left: its repository, files and rows. */
export async function removeProject(app: App, projectId: number): Promise<void> {
  const project = await findDoomedProject(app.db, { projectId })
  if (project === undefined) return
  await removeRepository(app.git, repositoryOfId(app, project.id, project.repositoryStorage))
  await removeAvatar(app.config, project.avatar)
  await removeItemsOfProject(app, project.id)
  await app.db.transaction((tx) => deleteProjectRows(tx, project.id))
}
