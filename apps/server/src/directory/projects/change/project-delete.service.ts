import { removeRepository } from '@stithy/git'
import {
  deleteProjectRows,
  enqueueJob,
  findProjectToDelete,
  markProjectsDeleted,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { ChangeBy } from '../../../platform/changes/change.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import { applyToDependents } from '../../../platform/dependents.ts'
import { removeAvatar } from '../../../platform/uploads/avatar-files.ts'
import { removeUploads } from '../../../platform/uploads/upload-files.ts'
import { removeProjectKind } from '../create/project-create.service.ts'
import { repositoryOfId, wikiOfId } from '../create/project-repository.ts'

/** Hides projects immediately, and enqueues the jobs that remove their contents. */
export async function deleteProjectsIn(
  tx: Transaction,
  ids: readonly number[],
  by: ChangeBy,
): Promise<void> {
  await hideProjects(tx, ids, by)
  const { now } = by
  for (const projectId of ids) {
    const job = { queue: 'projects', kind: removeProjectKind, payload: { projectId } }
    await enqueueJob(tx, job, now)
  }
}

/** Marks projects as deleted, which hides them from everyone. */
export async function hideProjects(
  tx: Transaction,
  ids: readonly number[],
  by: ChangeBy,
): Promise<void> {
  await recordChange(tx, { kind: 'project.deleted', ...by, projectIds: ids })
  await markProjectsDeleted(tx, { ids, now: by.now })
}

/** Deletes a project; a job removes its contents. */
export async function deleteProject(app: App, id: number, userId: number): Promise<void> {
  const now = app.now()
  await app.db.transaction((tx) => deleteProjectsIn(tx, [id], { userId, at: now, now }))
}

/** Removes the repository, files and rows of a deleted project or of an abandoned draft. */
export async function removeProject(app: App, projectId: number): Promise<void> {
  const project = await findProjectToDelete(app.db, { projectId })
  if (project === undefined) return
  const repository = repositoryOfId(app, project.id, project.repositoryStorage)
  await removeRepository(app.git, repository)
  await removeRepository(app.git, wikiOfId(app, project.id, project.repositoryStorage))
  await removeAvatar(app.config, project.avatar)
  await removeUploads(app.config, project.id)
  await applyToDependents(app, app.dependents.ofProject, { projectId })
  await app.db.transaction((tx) => deleteProjectRows(tx, project.id))
}
