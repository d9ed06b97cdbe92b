import {
  deleteGroupRows,
  enqueueJob,
  listGroupsToDelete,
  listGroupTree,
  listProjectIdsIn,
  listProjectIdsToDelete,
  markGroupsDeleted,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { ChangeBy } from '../../platform/changes/change.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { applyToDependents } from '../../platform/dependents.ts'
import { removeAvatar } from '../../platform/uploads/avatar-files.ts'
import { hideProjects, removeProject } from '../projects/change/project-delete.service.ts'

/** Job kind: removes the contents of a deleted group, then the group. */
export const removeGroupKind = 'group.remove'

/** Hides groups and everything in them immediately, and enqueues the jobs that remove them. */
export async function deleteGroupsIn(
  tx: Transaction,
  groupIds: readonly number[],
  by: ChangeBy,
): Promise<void> {
  const { now } = by
  for (const groupId of groupIds) {
    const namespaceIds = await markTree(tx, groupId, by)
    const projectIds = await listProjectIdsIn(tx, { namespaceIds })
    await hideProjects(tx, projectIds, by)
    const job = { queue: 'projects', kind: removeGroupKind, payload: { groupId } }
    await enqueueJob(tx, job, now)
  }
}

/**
 * Marks a group and its descendants as deleted, groups before projects, until none is left:
 * creating something in a group locks the group first, so it then fails on a deleted one.
 */
async function markTree(tx: Transaction, groupId: number, by: ChangeBy): Promise<number[]> {
  const marked: number[] = []
  for (;;) {
    const tree = await listGroupTree(tx, { groupId })
    if (tree.length === 0) return marked
    const ids = tree.map((group) => group.id)
    await recordChange(tx, { kind: 'group.deleted', ...by, groupIds: ids })
    await markGroupsDeleted(tx, { ids, now: by.now })
    marked.push(...ids)
  }
}

/** Deletes a group with its subgroups and projects; a job removes the contents. */
export async function deleteGroup(app: App, id: number, userId: number): Promise<void> {
  const now = app.now()
  await app.db.transaction((tx) => deleteGroupsIn(tx, [id], { userId, at: now, now }))
}

/** Removes the contents of a deleted group and its descendants, projects first. Idempotent. */
export async function removeGroup(app: App, groupId: number, signal: AbortSignal): Promise<void> {
  for (const projectId of await listProjectIdsToDelete(app.db, { groupId })) {
    signal.throwIfAborted()
    await removeProject(app, projectId)
  }
  for (const group of await listGroupsToDelete(app.db, { groupId })) {
    await removeAvatar(app.config, group.avatar)
    await applyToDependents(app, app.dependents.ofGroup, { groupId: group.id })
    await app.db.transaction((tx) => deleteGroupRows(tx, group.id))
  }
}
