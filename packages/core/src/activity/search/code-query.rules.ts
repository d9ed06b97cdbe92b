import { foldCase } from '../../platform/text/fold-case.rules.ts'
import { patternMatcher } from '../../platform/text/wildcard.rules.ts'

/** A search of code, in lower case. */
export interface CodeQuery {
  /** What paths or contents contain as it is; empty if there are only filters. */
  text: string
  /** Whether a path passes all filters; the path is in lower case. */
  matchesPath: (path: string) => boolean
}

type Filter = (path: string) => boolean

/** The name of a filter, and how its pattern is matched. */
const filters: Readonly<Record<string, (pattern: string) => Filter>> = {
  filename(pattern) {
    const matches = patternMatcher(pattern)
    return (path) => matches(path.slice(path.lastIndexOf('/') + 1))
  },
  path(pattern) {
    return patternMatcher(`*${pattern}*`)
  },
  extension(pattern) {
    const matches = patternMatcher(pattern.startsWith('.') ? pattern.slice(1) : pattern)
    return (path) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const dot = name.lastIndexOf('.')
      return dot >= 0 && matches(name.slice(dot + 1))
    }
  },
}

/**
 * A word, or a filter whose pattern is in double quotes; and the blanks behind it. Each quote ends
 * what was read from the one before, so that the time is linear.
 */
const parts = /([a-z]+:"[^"]+"(?!\S)|\S+)(\s*)/g

/**
 * Parses a search of code: `filename:*.ts path:"my files/" extension:ts some text`. A filter is a
 * word of its own, whose pattern may have blanks if it is in double quotes; `*` in it stands for any
 * characters, and all must match. The rest is one text with the blanks that are in it. Case is
 * ignored.
 */
export function parseCodeQuery(search: string): CodeQuery {
  const texts: string[] = []
  const given: Filter[] = []
  for (const [part, word = ''] of foldCase(search.trim()).matchAll(parts)) {
    const filter = parseFilter(word)
    if (filter === undefined) texts.push(part)
    else given.push(filter)
  }
  return {
    text: texts.join('').trim(),
    matchesPath: (path) => given.every((matches) => matches(path)),
  }
}

function parseFilter(word: string): Filter | undefined {
  const colon = word.indexOf(':')
  const pattern = unquote(word.slice(colon + 1))
  if (colon < 0 || pattern === '') return undefined
  const name = word.slice(0, colon)
  return Object.hasOwn(filters, name) ? filters[name]?.(pattern) : undefined
}

function unquote(pattern: string): string {
  const isQuoted = pattern.length > 1 && pattern.startsWith('"') && pattern.endsWith('"')
  return isQuoted ? pattern.slice(1, -1) : pattern
}
