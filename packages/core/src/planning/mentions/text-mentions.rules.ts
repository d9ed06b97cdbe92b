import { scanReferences } from '../references/reference.rules.ts'
import type { Reference } from '../references/reference.schema.ts'
import { type ItemReference, isItemReference } from '../references/reference-key.rules.ts'
import { findMentions, type TextMentions } from './mention.rules.ts'

/** The maximum number of names that are resolved in one text; later ones are ignored. */
const maxNames = 500
/** The maximum number of items that one text can mention; later ones are ignored. */
const maxItems = 200

/** A text that is written; `previous` is the text before an edit. */
export interface WrittenText {
  text: string
  previous?: string | undefined
}

/** What a text mentions, up to a maximum. */
export interface WrittenMentions extends TextMentions {
  /** The names that the previous text has as well. */
  previousNames: string[]
  /** References to items that the previous text does not have, each item once. */
  newItems: ItemReference[]
}

/** The users, groups and items that a text mentions. Linear time. */
export function scanMentions(
  { text, previous }: WrittenText,
  options: { webUrl?: string },
): WrittenMentions {
  const references = scanReferences(text, options)
  const before = previous === undefined ? [] : scanReferences(previous, options)
  const found = findMentions(text, references)
  const addressed = found.addressed.slice(0, maxNames)
  const mentioned = found.mentioned.slice(0, maxNames - addressed.length)
  const previousNames = namesIn(before, new Set([...addressed, ...mentioned]))
  return { addressed, mentioned, previousNames, newItems: newItems(references, before) }
}

/** Those of some lower-case names that are mentioned. */
function namesIn(references: readonly Reference[], names: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  for (const reference of references) {
    const name = reference.kind === 'user' ? reference.name.toLowerCase() : ''
    if (names.has(name)) found.add(name)
  }
  return [...found]
}

function newItems(references: readonly Reference[], before: readonly Reference[]): ItemReference[] {
  const previousKeys = new Set(before.filter(isItemReference).map(itemKey))
  const added = new Map<string, ItemReference>()
  for (const reference of references) {
    if (!isItemReference(reference)) continue
    const key = itemKey(reference)
    if (previousKeys.has(key)) continue
    added.set(key, reference)
    if (added.size === maxItems) break
  }
  return [...added.values()]
}

/** Equal for an item and for a note on it. */
function itemKey({ kind, path, id }: ItemReference): string {
  return `${kind} ${path?.toLowerCase() ?? ''} ${id}`
}
