import {
  enqueueJob,
  findMergeRequestById,
  hasThreadPositions,
  type MergeRequestRow,
  type NoteRow,
  type Transaction,
} from '@stithy/store'
import { storedPosition } from '../../planning/notes/stored-position.ts'
import type { Change } from '../../platform/changes/change.ts'
import type { Renewed } from './position-update.service.ts'

export const updatePositionsKind = 'merge-request.positions'

/** Enqueues a job that brings the threads on a diff to its new version. */
export async function enqueuePositionUpdate(
  tx: Transaction,
  { mergeRequestId, userId, now }: Change<'merge_request.version_added'>,
): Promise<void> {
  if (!(await hasThreadPositions(tx, { mergeRequestId }))) return
  await enqueue(tx, { id: mergeRequestId, userId }, now)
}

/**
 * Does the same for a note that was written while the version before was replaced, in the name of
 * the author of the merge request.
 */
export async function enqueueLatePositionUpdate(
  tx: Transaction,
  { item, note, now }: Change<'note.created'>,
): Promise<void> {
  if (item.type !== 'merge_request' || note.position === null) return
  const row = await findMergeRequestById(tx, item.row.id)
  if (row === undefined || !isLate(note, row)) return
  await enqueue(tx, { id: row.id, userId: row.authorId }, now)
}

function isLate(note: NoteRow, { baseSha, startSha, headSha }: MergeRequestRow): boolean {
  const position = storedPosition(note)?.position
  if (position === undefined || position.outdated) return false
  const { base_sha: base, start_sha: start, head_sha: head } = position
  return base !== baseSha || start !== startSha || head !== headSha
}

async function enqueue(tx: Transaction, payload: Renewed, now: number): Promise<void> {
  await enqueueJob(tx, { queue: 'merge-requests', kind: updatePositionsKind, payload }, now)
}
