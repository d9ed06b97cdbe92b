import type { ItemReference, WrittenText } from '@stithy/core'
import { addCrossReference, addMentions, removeMentions, type Transaction } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { scanText } from '../../platform/text/scan-text.ts'
import type { Item, ItemDraft } from '../items/item.ts'
import { addSystemNotes, sourceOf } from '../system-notes/system-note.service.ts'
import { addTodos } from '../todos/todo.service.ts'
import { findMentionedUsers } from './mentioned-users.service.ts'
import { findReferencedItems, type ReferableItem } from './referenced-items.service.ts'

/** The effects of a text, planned by `planTextEffects`. */
export interface TextEffects {
  authorId: number
  /** Ids of all mentioned users who may read the item. */
  mentionedUserIds: readonly number[]
  /** Whether the text was edited, so that stored mentions are replaced. */
  edited: boolean
  /** Ids of newly mentioned users, each in one of the two lists. */
  newlyAddressed: readonly number[]
  newlyMentioned: readonly number[]
  /** Newly mentioned items, except the item itself. */
  targets: readonly ReferableItem[]
}

/** The effects of a text that mentions nothing, or whose mentions have taken effect before. */
export function noTextEffects(authorId: number): TextEffects {
  return {
    authorId,
    mentionedUserIds: [],
    edited: false,
    newlyAddressed: [],
    newlyMentioned: [],
    targets: [],
  }
}

/** The title and description of an item as one text, for `planTextEffects`. */
export function titleAndDescription(row: { title: string; description: string | null }): string {
  return `${row.title}\n\n${row.description ?? ''}`
}

/**
 * Finds the users and items that a text mentions: the text of a note or, from
 * `titleAndDescription`, of the item itself. `item` is the item of the text and `caller` its
 * author. Users who may not read the item and items that the author may not read are ignored. No
 * queries if nothing is mentioned.
 */
export async function planTextEffects(
  app: App,
  caller: Caller,
  item: ItemDraft,
  written: WrittenText,
): Promise<TextEffects> {
  const scanned = await scanText('scanMentions', written, { webUrl: app.config.externalUrl })
  const users = await findMentionedUsers(app, caller, item, scanned)
  return {
    authorId: caller.facts.userId ?? 0,
    mentionedUserIds: [...users.all],
    edited: written.previous !== undefined,
    newlyAddressed: [...users.addressed],
    newlyMentioned: [...users.mentioned],
    targets: await findTargets(app, caller, item, scanned.newItems),
  }
}

/** The items that get a system note: not the item itself, and none of an archived project. */
async function findTargets(
  app: App,
  caller: Caller,
  item: ItemDraft,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  const found = await findReferencedItems(app, caller, item, references)
  return found.filter((target) => {
    if (isSame(target, item)) return false
    return target.type === 'epic' || target.project?.facts.archived !== true
  })
}

/** A draft is the same as no stored item. */
function isSame(target: ReferableItem, item: ItemDraft): boolean {
  if (item.type === 'commit' || target.type !== item.type) return false
  return 'id' in item.row && target.row.id === item.row.id
}

/**
 * Applies the effects in the transaction that writes the text: stores the mentions, adds todos for
 * newly mentioned users, and writes system notes on newly mentioned items, once for each pair of
 * items. `noteId` is left out for the title and description of the item.
 * @param at milliseconds since the epoch
 */
export async function applyTextEffects(
  tx: Transaction,
  item: Item,
  effects: TextEffects,
  { noteId, at }: { noteId?: number | undefined; at: number },
): Promise<void> {
  await storeMentions(tx, item, effects, noteId ?? 0)
  await addMentionTodos(tx, item, effects, noteId, at)
  for (const target of effects.targets) await noteMention(tx, item, effects, target, at)
}

async function storeMentions(
  tx: Transaction,
  item: Item,
  { mentionedUserIds, edited }: TextEffects,
  noteId: number,
): Promise<void> {
  if (item.type === 'commit') return
  const text = { targetType: item.type, targetId: item.row.id, noteId }
  if (edited) await removeMentions(tx, text)
  await addMentions(tx, text, mentionedUserIds)
}

/** Commit messages add no todos; comments on commits do. */
async function addMentionTodos(
  tx: Transaction,
  item: Item,
  { authorId, newlyAddressed, newlyMentioned }: TextEffects,
  noteId: number | undefined,
  at: number,
): Promise<void> {
  if (item.type === 'commit' && noteId === undefined) return
  const todos = { item, authorId, noteId, at }
  await addTodos(tx, { ...todos, userIds: newlyAddressed, action: 'directly_addressed' })
  await addTodos(tx, { ...todos, userIds: newlyMentioned, action: 'mentioned' })
}

async function noteMention(
  tx: Transaction,
  item: Item,
  { authorId }: TextEffects,
  target: ReferableItem,
  at: number,
): Promise<void> {
  const source = sourceOf(item)
  const pair = { targetType: target.type, targetId: target.row.id, source, at }
  if (!(await addCrossReference(tx, pair))) return
  await addSystemNotes(tx, target, { authorId, at, notes: [{ action: 'mentioned_in', source }] })
}
