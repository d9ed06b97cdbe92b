import type { Transaction } from '@stithy/store'
import type { Change, ChangeKind } from '../../platform/changes/change.ts'
import type { ItemRecord } from '../items/changes/item.changes.ts'
import type { Item } from '../items/item.ts'
import { addSystemNotes } from './system-note.service.ts'

/** Kinds of changes that carry system notes for their item. */
export type SystemNoteKind = {
  [K in ChangeKind]: Change<K> extends ItemRecord<Item> ? K : never
}[ChangeKind]

export async function addNotes(
  tx: Transaction,
  { item, notes, userId, at }: Change<SystemNoteKind>,
): Promise<void> {
  await addSystemNotes(tx, item, { authorId: userId, at, notes })
}
