import {
  deleteNotes,
  listCommitNotes,
  removeCodeRemarks,
  removeEpics,
  removeIssues,
  removeLabelSubscriptions,
  removeMergeRequests,
  removeSnippetsIn,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { inBatches } from '../jobs/in-batches.ts'

/** Items that go in one transaction: much may hang on each. */
const size = 200

/**
 * Removes the issues, merge requests and snippets of a project that goes, the notes on its commits, and all
 * that hangs on them or tells of them elsewhere. In batches, so that others get their turn; may be run again.
 */
export async function removeItemsOfProject(app: App, projectId: number): Promise<void> {
  for (const remove of [
    removeIssues,
    removeMergeRequests,
    removeSnippetsIn,
    removeCommitNotes,
    removeCodeRemarks,
  ]) {
    await inBatches((limit) => app.db.transaction((tx) => remove(tx, { projectId, limit })), size)
  }
  await app.db.transaction((tx) => removeLabelSubscriptions(tx, { projectId }))
}

async function removeCommitNotes(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  return deleteNotes(tx, await listCommitNotes(tx, args))
}

/** Removes the epics of a group that goes, and all that hangs on them and on its labels. */
export async function removeItemsOfGroup(app: App, groupId: number): Promise<void> {
  await inBatches((limit) => app.db.transaction((tx) => removeEpics(tx, { groupId, limit })), size)
  await app.db.transaction((tx) => removeLabelSubscriptions(tx, { groupId }))
}
