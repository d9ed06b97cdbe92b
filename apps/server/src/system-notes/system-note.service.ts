import {
  insertNote,
  insertRemarkSource,
  type ReferenceSource,
  type RemarkSource,
  type Transaction,
} from '@stithy/store'
import { type CommitItem, type Item, noteableOf } from '../items/item.ts'
import { newDiscussionId } from '../notes/discussion-id.ts'

/** What the program says something on. */
export type RemarkableItem = Exclude<Item, CommitItem>

/** What the program says of a change that somebody made. */
export interface Remark {
  /** Who made the change. */
  authorId: number
  body: string
  /** Milliseconds. */
  at: number
}

/**
 * Writes a system note on an item and answers its id (catalogue: issues, 4). Such notes are neither
 * counted nor told of by events and hooks.
 */
export async function remark(tx: Transaction, item: Item, said: Remark): Promise<number> {
  const { authorId, body, at } = said
  const { id } = await insertNote(tx, {
    noteable: noteableOf(item),
    discussionId: newDiscussionId(),
    type: null,
    authorId,
    body,
    system: true,
    createdAt: at,
  })
  return id
}

/** `remark` for each of several texts, in their order. */
export async function remarkAll(
  tx: Transaction,
  item: Item,
  said: Omit<Remark, 'body'> & { bodies: readonly string[] },
): Promise<void> {
  const { bodies, ...by } = said
  for (const body of bodies) await remark(tx, item, { ...by, body })
}

/**
 * `remark` for a text that tells of something else than its item: it is only shown to who may see that, and goes
 * with it. Every text that names another thing must come this way.
 */
export async function remarkNaming(
  tx: Transaction,
  item: RemarkableItem,
  source: RemarkSource,
  said: Remark,
): Promise<void> {
  const noteId = await remark(tx, item, said)
  await insertRemarkSource(tx, { noteId, targetType: item.type, targetId: item.row.id }, source)
}

/** An item as what a remark tells of. */
export function sourceOf(item: Item): ReferenceSource {
  const { type, projectId } = noteableOf(item)
  return { type, key: item.type === 'commit' ? item.commitId : String(item.row.id), projectId }
}
