import type { Queries, Transaction } from '../queries.ts'

/** Makes a thread of a single comment: from now on its notes belong together. */
export async function makeThread(tx: Transaction, args: { discussionId: string }): Promise<void> {
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
 * Marks what is open in a discussion of a merge request as resolved; answers how many notes that were.
 * Milliseconds.
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

/** Opens what is resolved in a discussion of a merge request again. */
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

/** Whether a merge request has a thread that is not resolved. */
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
