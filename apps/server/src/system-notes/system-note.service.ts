import { addCrossReference, insertNote, setReferenceNote, type Transaction } from '@stithy/store'
import { type IssueItem, type Item, noteableOf } from '../items/item.ts'
import { newDiscussionId } from '../notes/discussion-id.ts'

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
 * `remark` for a text that names an issue, which is hidden with it: who may not read the issue does not learn
 * of it here.
 */
export async function remarkNaming(
  tx: Transaction,
  item: IssueItem,
  named: IssueItem,
  said: Remark,
): Promise<void> {
  const noteId = await remark(tx, item, said)
  const { id, projectId } = named.row
  const source = { type: 'issue', key: String(id), projectId } as const
  const pair = { targetType: 'issue', targetId: item.row.id, source, at: said.at } as const
  const known = await addCrossReference(tx, pair)
  if (known !== undefined) await setReferenceNote(tx, { id: known, noteId })
}
