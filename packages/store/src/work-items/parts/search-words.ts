/** The fewest characters of a word that the table of trigrams finds. */
const shortest = 3
/** More words than anybody searches for; the rest is left out. */
const maxWords = 20

/** What is searched for: each word must occur somewhere. */
export interface SearchWords {
  /** Long enough for an index of trigrams. */
  long: string[]
  short: string[]
}

/** The words of a search; what stands in double quotes is one word. */
export function searchWords(text: string): SearchWords {
  const found = text.matchAll(/"([^"]+)"|[^\s"]+/g)
  const words = [...new Set([...found].map((match) => (match[1] ?? match[0]).trim()))]
  const kept = words.filter((word) => word !== '').slice(0, maxWords)
  const isLong = (word: string) => [...word].length >= shortest
  return { long: kept.filter(isLong), short: kept.filter((word) => !isLong(word)) }
}

/** The words as a full-text query of SQLite over the named columns. */
export function matchQuery(words: readonly string[], columns: readonly string[]): string {
  const terms = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')
  return `{${columns.join(' ')}} : (${terms})`
}

/**
 * The spellings of a word that `like` on SQLite, which takes A to Z alone in either case, must look for so
 * that the case of other letters does not matter, either.
 */
export function spellings(word: string): string[] {
  if (/^[\x20-\x7e]*$/.test(word)) return [word]
  const lower = word.toLowerCase()
  const [first = '', ...rest] = lower
  return [...new Set([lower, word.toUpperCase(), first.toUpperCase() + rest.join(''), word])]
}
