import { createRequire } from 'node:module'
import { emojiScript } from '../../runtime.ts'
import type { Emoji } from './emoji-list.ts'

let emojiByName: ReadonlyMap<string, Emoji> | undefined

/**
 * Finds an emoji by its name without colons, such as `tada`, `thumbsup` or the alias `+1`. `name`
 * is the canonical one, under which awards are stored and votes are counted.
 */
export function findEmoji(nameOrAlias: string): Emoji | undefined {
  emojiByName ??= loadList()
  return emojiByName.get(nameOrAlias)
}

/** An emoji code such as `:tada:` in a text. */
export interface EmojiCode {
  start: number
  end: number
  emoji: Emoji
}

const code = /(?<![\p{L}\p{N}:]):([a-z0-9_+-]{1,50}):(?![\p{L}\p{N}:])/gu

/** The codes of known emoji in a text, in order. */
export function findEmojiCodes(text: string): EmojiCode[] {
  return [...text.matchAll(code)].flatMap(({ index, 0: found, 1: name = '' }) => {
    const emoji = findEmoji(name)
    return emoji === undefined ? [] : [{ start: index, end: index + found.length, emoji }]
  })
}

/** Loaded on first use: two thousand emoji would slow down every start. */
function loadList(): ReadonlyMap<string, Emoji> {
  const load = createRequire(import.meta.url)
  const module: typeof import('./emoji-list.ts') = load(emojiScript ?? './emoji-list.ts')
  return module.emojiByName
}
