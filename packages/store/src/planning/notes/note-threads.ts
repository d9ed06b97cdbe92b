import type { Queries, Transaction } from '../../platform/queries/queries.ts'

/** Turns a single comment into a thread. */
export async function convertToThread(
  tx: Transaction,
  args: { discussionId: string },
): Promise<void> {
  await tx.run('notes.thread', args, (db, $) =>
    db
      .updateTable('notes')
      .set({ type: 'discussion_note' })
      .where('discussionId', '=', $('discussionId'))
      .where('type', 'is', null)
      .where('system', '=', 0),
  )
}

interface Resolving {
  discussionId: string
  /** Only this note of the discussion. */
  noteId?: number | undefined
}

/**
 * Resolves the unresolved notes of a discussion of a merge request; returns how many there were.
 * Timestamps in milliseconds.
 */
export async function resolveNotes(
  tx: Transaction,
  { noteId, ...args }: Resolving & { userId: number; now: number },
): Promise<number> {
  const { changes } = await tx.run(
    `notes.resolve|${noteId === undefined ? 'all' : 'one'}`,
    { ...args, noteId: noteId ?? 0 },
    (db, $) => {
      const query = db
        .updateTable('notes')
        .set({ resolvedAt: $('now'), resolvedById: $('userId') })
        .where('discussionId', '=', $('discussionId'))
        .where('type', 'is not', null)
        .where('system', '=', 0)
        .where('resolvedAt', 'is', null)
      return noteId === undefined ? query : query.where('id', '=', $('noteId'))
    },
  )
  return changes
}

/** Reopens the resolved notes of a discussion of a merge request. */
export async function reopenNotes(tx: Transaction, { noteId, ...args }: Resolving): Promise<void> {
  await tx.run(
    `notes.reopen|${noteId === undefined ? 'all' : 'one'}`,
    { ...args, noteId: noteId ?? 0 },
    (db, $) => {
      const query = db
        .updateTable('notes')
        .set({ resolvedAt: null, resolvedById: null })
        .where('discussionId', '=', $('discussionId'))
        .where('resolvedAt', 'is not', null)
      return noteId === undefined ? query : query.where('id', '=', $('noteId'))
    },
  )
}

/** Whether a merge request has an unresolved thread. */
export async function hasOpenThreads(
  q: Queries,
  args: { mergeRequestId: number },
): Promise<boolean> {
  const open = await q.first('notes.open-threads', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', 'merge_request')
      .where('noteableId', '=', $('mergeRequestId'))
      .where('type', 'is not', null)
      .where('system', '=', 0)
      .where('resolvedAt', 'is', null)
      .select('id')
      .limit(1),
  )
  return open !== undefined
}
