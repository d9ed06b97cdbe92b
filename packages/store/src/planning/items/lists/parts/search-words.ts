/** The minimum number of characters of a word that the trigram table finds. */
const shortest = 3
/** More words than anyone searches for; further words are ignored. */
const maxWords = 20

/** The words of a search, each of which must occur. */
export interface SearchWords {
  /** Long enough for a trigram index. */
  long: string[]
  short: string[]
}

/**
 * Splits a search into words; text in double quotes is one word. Nothing but quotes is a word, too:
 * it would find everything otherwise.
 */
export function searchWords(text: string): SearchWords {
  const found = text.matchAll(/"([^"]+)"|[^\s"]+/g)
  const unique = [...new Set([...found].map((match) => (match[1] ?? match[0]).trim()))]
  const named = unique.filter((word) => word !== '').slice(0, maxWords)
  const words = named.length > 0 || text.trim() === '' ? named : [text.trim()]
  const isLong = (word: string) => [...word].length >= shortest
  return { long: words.filter(isLong), short: words.filter((word) => !isLong(word)) }
}

/** The words as a full-text query of SQLite over the named columns. */
export function matchQuery(words: readonly string[], columns: readonly string[]): string {
  const terms = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')
  return `{${columns.join(' ')}} : (${terms})`
}

/**
 * The spellings of a word to match with SQLite's `like`, which ignores case only for A to Z, so
 * that the case of other letters is ignored too.
 */
export function spellings(word: string): string[] {
  if (/^[\x20-\x7e]*$/.test(word)) return [word]
  const lower = word.toLowerCase()
  const [first = '', ...rest] = lower
  return [...new Set([lower, word.toUpperCase(), first.toUpperCase() + rest.join(''), word])]
}
