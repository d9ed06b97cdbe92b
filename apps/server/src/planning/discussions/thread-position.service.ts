import type { SystemNote } from '@stithy/core'
import {
  type StoredNotePosition,
  type StoredPosition,
  type Transaction,
  updateThreadPosition,
} from '@stithy/store'
import type { MergeRequestItem } from '../items/item.ts'
import { addSystemNoteToThread } from '../system-notes/system-note.service.ts'
import { resolveInLocked } from './resolving.service.ts'

/** A thread on a diff with its position. */
export interface PositionedThread extends StoredNotePosition {
  discussionId: string
}

/** The position that a thread has in a later version, or the note that says why it has none. */
export type ThreadUpdate =
  | { thread: PositionedThread; moved: StoredNotePosition }
  | { thread: PositionedThread; outdatedBy: SystemNote }

/**
 * Updates the positions of threads of a merge request that the transaction has locked. An outdated
 * thread keeps its position, gets a system note and, if the project says so, is resolved. Threads
 * that no longer exist are left out.
 */
export async function updateThreads(
  tx: Transaction,
  item: MergeRequestItem,
  updates: readonly ThreadUpdate[],
  by: { userId: number; now: number },
): Promise<void> {
  for (const update of updates) {
    const { discussionId, lineCode, position } = update.thread
    if ('moved' in update) {
      await updateThreadPosition(tx, { discussionId, ...update.moved })
      continue
    }
    const outdated: StoredPosition = { ...position, outdated: true }
    const thread = { discussionId, lineCode, position: outdated }
    if (!(await updateThreadPosition(tx, thread))) continue
    const note = { authorId: by.userId, at: by.now, note: update.outdatedBy }
    await addSystemNoteToThread(tx, item, thread, note)
    if (item.project.row.resolveOutdatedDiffDiscussions !== 1) continue
    await resolveInLocked(tx, item, { discussionId }, by)
  }
}
