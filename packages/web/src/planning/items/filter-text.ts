/** What a list is filtered by, as people write it: `label:bug milestone:"1.0 beta" crash`. */
export interface FilterText {
  /** Values by the word before the colon, in their order. */
  terms: ReadonlyMap<string, readonly string[]>
  /** All other words. */
  words: string
}

/** Words that are terms; others with a colon are searched for as they are. */
export type TermNames = ReadonlySet<string>

/** Reads a text of words and terms. Quotes keep blanks together. */
export function parseFilter(text: string, names: TermNames): FilterText {
  const terms = new Map<string, string[]>()
  const words: string[] = []
  for (const piece of piecesOf(text)) {
    const colon = piece.indexOf(':')
    const name = piece.slice(0, colon).toLowerCase()
    const value = unquote(piece.slice(colon + 1))
    if (colon < 1 || !names.has(name) || value === '') words.push(piece)
    else terms.set(name, [...(terms.get(name) ?? []), value])
  }
  return { terms, words: words.join(' ') }
}

/** Splits at blanks that are not in quotes. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && /\s/.test(character)) {
      pieces.push(piece)
      piece = ''
    } else piece += character
  }
  return [...pieces, piece].filter((each) => each !== '')
}

function unquote(value: string): string {
  return value.replaceAll('"', '').trim()
}

/** A term as it is written: `label:bug`, `milestone:"1.0 beta"`. */
export function filterTerm(name: string, value: string): string {
  const text = value.replaceAll('"', '')
  return /\s/.test(text) ? `${name}:"${text}"` : `${name}:${text}`
}

/** The text of a filter. */
export function formatFilter({ terms, words }: FilterText): string {
  const written = [...terms].flatMap(([name, values]) =>
    values.map((value) => filterTerm(name, value)),
  )
  return [...written, words].filter((part) => part !== '').join(' ')
}

/** A filter with a term more, or without it where it has it; `isOnly` replaces others of its name. */
export function toggleTerm(
  filter: FilterText,
  name: string,
  value: string,
  { isOnly = false }: { isOnly?: boolean } = {},
): FilterText {
  const old = filter.terms.get(name) ?? []
  const added = isOnly ? [value] : [...old, value]
  const values = old.includes(value) ? old.filter((each) => each !== value) : added
  return { ...filter, terms: new Map(filter.terms).set(name, values) }
}
