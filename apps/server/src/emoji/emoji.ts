import { createRequire } from 'node:module'
import { emojiScript } from '../runtime.ts'
import type { Emoji } from './emoji-list.ts'

let known: ReadonlyMap<string, Emoji> | undefined

/**
 * The emoji of a name without colons, as `tada`, `thumbsup` or its alias `+1`. `name` is the canonical one,
 * under which awards are stored and votes are counted (catalogue: issues, 9).
 */
export function findEmoji(nameOrAlias: string): Emoji | undefined {
  known ??= loadList()
  return known.get(nameOrAlias)
}

/** Loaded with the first name that is asked for: two thousand emoji would make every start slower. */
function loadList(): ReadonlyMap<string, Emoji> {
  const load = createRequire(import.meta.url)
  const module: typeof import('./emoji-list.ts') = load(emojiScript ?? './emoji-list.ts')
  return module.emojiByName
}
