import {
  deleteGroupRows,
  enqueueJob,
  listDoomedGroups,
  listDoomedProjectIds,
  listGroupTree,
  listProjectIdsIn,
  markGroupsDeleted,
  markProjectsDeleted,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { removeItemsOfGroup } from '../items/holder-removal.service.ts'
import { removeProject } from '../projects/change/project-delete.service.ts'
import { removeAvatar } from '../uploads/avatar-files.ts'

/** The job that removes what a deleted group holds, and the group. */
export const removeGroupKind = 'group.remove'

/** Hides groups with all that lies in them at once, and lets jobs remove it. */
export async function deleteGroupsIn(
  tx: Transaction,
  groupIds: readonly number[],
  now: number,
): Promise<void> {
  for (const groupId of groupIds) {
    const namespaceIds = await markTree(tx, groupId, now)
    const projectIds = await listProjectIdsIn(tx, { namespaceIds })
    await markProjectsDeleted(tx, { ids: projectIds, now })
    const job = { queue: 'projects', kind: removeGroupKind, payload: { groupId } }
    await enqueueJob(tx, job, now)
  }
}

/**
 * Groups come before their projects, and are looked for until there are no more: whoever creates something
 * in a group locks it first, and finds it gone afterwards.
 */
async function markTree(tx: Transaction, groupId: number, now: number): Promise<number[]> {
  const marked: number[] = []
  for (;;) {
    const tree = await listGroupTree(tx, { groupId })
    if (tree.length === 0) return marked
    const ids = tree.map((group) => group.id)
    await markGroupsDeleted(tx, { ids, now })
    marked.push(...ids)
  }
}

/** Deletes one group with its subgroups and projects; their contents go in the background. */
export async function deleteGroup(app: App, id: number): Promise<void> {
  const now = app.now()
  await app.db.transaction((tx) => deleteGroupsIn(tx, [id], now))
  app.wakeWorker()
}

/** Removes what a deleted group and the groups below it left, projects first. Runs again harmlessly. */
export async function removeGroup(app: App, groupId: number, signal: AbortSignal): Promise<void> {
  for (const projectId of await listDoomedProjectIds(app.db, { groupId })) {
    signal.throwIfAborted()
    await removeProject(app, projectId)
  }
  for (const group of await listDoomedGroups(app.db, { groupId })) {
    await removeAvatar(app.config, group.avatar)
    await removeItemsOfGroup(app, group.id)
    await app.db.transaction((tx) => deleteGroupRows(tx, group.id))
  }
}
