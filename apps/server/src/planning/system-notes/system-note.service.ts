import type { SystemNote } from '@stithy/core'
import {
  insertSystemNote,
  type ReferenceSource,
  type StoredNotePosition,
  type Transaction,
} from '@stithy/store'
import { type Item, noteableOf } from '../items/item.ts'
import { newDiscussionId } from '../notes/discussion-id.ts'

/** System notes to write on an item. */
export interface SystemNoteDraft {
  /** The user who made the change. */
  authorId: number
  /** Milliseconds since the epoch. */
  at: number
  notes: readonly SystemNote[]
}

/**
 * Writes system notes on an item, in their order. They are not counted as comments and cause no
 * events or webhooks.
 */
export async function addSystemNotes(
  tx: Transaction,
  item: Item,
  { authorId, at, notes }: SystemNoteDraft,
): Promise<void> {
  const noteable = noteableOf(item)
  for (const note of notes) {
    const discussionId = newDiscussionId()
    await insertSystemNote(tx, { noteable, discussionId, authorId, note, createdAt: at })
  }
}

/** Writes a system note in a thread on a diff. */
export async function addSystemNoteToThread(
  tx: Transaction,
  item: Item,
  thread: StoredNotePosition & { discussionId: string },
  { authorId, at, note }: Omit<SystemNoteDraft, 'notes'> & { note: SystemNote },
): Promise<void> {
  const { discussionId, ...position } = thread
  const written = { noteable: noteableOf(item), discussionId, position }
  await insertSystemNote(tx, { ...written, authorId, note, createdAt: at })
}

/** An item as the source of a system note. */
export function sourceOf(item: Item): ReferenceSource {
  const { type, projectId } = noteableOf(item)
  return { type, key: item.type === 'commit' ? item.commitId : String(item.row.id), projectId }
}
