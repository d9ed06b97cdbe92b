import { mentionRemark, type Reference, scanReferences } from '@stithy/core'
import { addCrossReference, addMentions, removeMentions, type Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { Item } from '../items/item.ts'
import { remarkNaming, sourceOf } from '../system-notes/system-note.service.ts'
import { addTodos } from '../todos/todo.service.ts'
import {
  findNamedItems,
  type ItemReference,
  isItemReference,
  type ReferableItem,
} from './named-items.service.ts'
import { findNamedPeople } from './named-people.service.ts'

/** How many items one text is looked through for: the first ones that it names. */
const mostItems = 200

/** A text that somebody writes; `previous` is what it was, where it is edited. */
export interface WrittenText {
  text: string
  previous?: string | undefined
}

/** What a text brings about; made by `planTextEffects`. */
export interface TextEffects {
  item: Item
  authorId: number
  /** All who are named and may read the item. */
  named: readonly number[]
  /** Whether the text had been written before, so that what is known of it is replaced. */
  edited: boolean
  /** Those who are newly named, each in one of the two. */
  addressed: readonly number[]
  mentioned: readonly number[]
  /** What is newly named, without the item itself. */
  targets: readonly ReferableItem[]
}

/** The title and description of an item as one text, for `planTextEffects`. */
export function ownText(row: { title: string; description: string | null }): string {
  return `${row.title}\n\n${row.description ?? ''}`
}

/**
 * Finds out whom and what a text names (catalogue: planning, 5; issues, 4 and 5): the text of a note, or with
 * `ownText` what an item says itself. `item` is what it belongs to, `caller` who writes; who may not read the
 * item is not named, and what the writer may not read neither. No queries where nothing is named.
 */
export async function planTextEffects(
  app: App,
  caller: Caller,
  item: Item,
  { text, previous }: WrittenText,
): Promise<TextEffects> {
  const options = { webUrl: app.config.externalUrl }
  const references = scanReferences(text, options)
  const before = previous === undefined ? [] : scanReferences(previous, options)
  const known = new Set(before.flatMap((it) => (it.kind === 'user' ? it.name.toLowerCase() : [])))
  const people = await findNamedPeople(app, caller, item, { text, references, known })
  return {
    item,
    authorId: caller.facts.userId ?? 0,
    named: [...people.all],
    edited: previous !== undefined,
    addressed: [...people.addressed],
    mentioned: [...people.mentioned],
    targets: await findTargets(app, caller, item, newItems(references, before)),
  }
}

/** The first references to items that are not known from before, each thing once. */
function newItems(references: readonly Reference[], before: readonly Reference[]): ItemReference[] {
  const known = new Set(before.filter(isItemReference).map(keyOf))
  const fresh = new Map<string, ItemReference>()
  for (const reference of references) {
    if (!isItemReference(reference) || known.has(keyOf(reference))) continue
    fresh.set(keyOf(reference), reference)
    if (fresh.size === mostItems) break
  }
  return [...fresh.values()]
}

function keyOf({ kind, path, id }: ItemReference): string {
  return `${kind} ${path?.toLowerCase() ?? ''} ${id}`
}

/** What is told of being named: neither the item itself, nor what an archived project keeps frozen. */
async function findTargets(
  app: App,
  caller: Caller,
  item: Item,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  const found = await findNamedItems(app, caller, item, references)
  return found.filter((target) => {
    if (target.type === item.type && target.row.id === item.row.id) return false
    return target.type === 'epic' || target.project?.facts.archived !== true
  })
}

/**
 * Does what `planTextEffects` found, in the transaction that writes the text: keeps who is named, gives those
 * newly named a todo, and remarks on what is newly named, once for each pair of items. `noteId` is that of
 * the note, and left out for what an item says itself. @param at milliseconds since the epoch
 */
export async function applyTextEffects(
  tx: Transaction,
  effects: TextEffects,
  { noteId, at }: { noteId?: number | undefined; at: number },
): Promise<void> {
  await keepMentions(tx, effects, noteId ?? 0)
  await addNamingTodos(tx, effects, noteId, at)
  for (const target of effects.targets) await tellOf(tx, effects, target, at)
}

async function keepMentions(
  tx: Transaction,
  { item, named, edited }: TextEffects,
  noteId: number,
): Promise<void> {
  if (item.type === 'commit') return
  const text = { targetType: item.type, targetId: item.row.id, noteId }
  if (edited) await removeMentions(tx, text)
  await addMentions(tx, text, named)
}

/** Messages of commits tell nobody; comments on commits do. */
async function addNamingTodos(
  tx: Transaction,
  { item, authorId, addressed, mentioned }: TextEffects,
  noteId: number | undefined,
  at: number,
): Promise<void> {
  if (item.type === 'commit' && noteId === undefined) return
  const todos = { item, authorId, noteId, at }
  await addTodos(tx, { ...todos, userIds: addressed, action: 'directly_addressed' })
  await addTodos(tx, { ...todos, userIds: mentioned, action: 'mentioned' })
}

async function tellOf(
  tx: Transaction,
  { item, authorId }: TextEffects,
  target: ReferableItem,
  at: number,
): Promise<void> {
  const source = sourceOf(item)
  const pair = { targetType: target.type, targetId: target.row.id, source, at }
  if (!(await addCrossReference(tx, pair))) return
  await remarkNaming(tx, target, source, { authorId, body: mentionBody(item, target), at })
}

/** A path stands there where the target is in another project or group than what names it. */
function mentionBody(item: Item, target: ReferableItem): string {
  const { type } = item
  if (item.type === 'epic') {
    const { id, fullPath } = item.group.row
    return mentionRemark({
      type,
      id: item.row.iid,
      path: id === groupIdOf(target) ? null : fullPath,
    })
  }
  const own = item.project?.row
  const there = target.type === 'epic' ? undefined : target.project?.row
  const path = own === undefined || own.id === there?.id ? null : own.fullPath
  if (item.type === 'commit') return mentionRemark({ type, id: item.commitId, path })
  return mentionRemark({ type, id: item.type === 'snippet' ? item.row.id : item.row.iid, path })
}

/** The group that epics are looked for in where a text of the item names none. */
function groupIdOf(item: ReferableItem): number | undefined {
  return item.type === 'epic' ? item.row.groupId : item.project?.row.namespaceId
}
