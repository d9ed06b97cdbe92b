/** A document as it was written. */
export type Document = Record<string, string | number | null>

type Condition = Record<string, never> & {
  bool?: { filter?: Condition[]; should?: Condition[]; minimum_should_match?: number }
  term?: Record<string, string | number>
  terms?: Record<string, (string | number)[]>
  prefix?: Record<string, string>
}

export interface Query {
  query: Condition
  sort?: Record<string, 'asc' | 'desc'>[] | undefined
  search_after?: number[] | undefined
}

type Properties = Record<string, { type?: string; index?: boolean }>

const maxTerms = 65_536

/** Whether a document meets a condition; one of an unknown kind is an error. */
export function matches(properties: Properties, condition: Condition, content: Document): boolean {
  const [kind, ...others] = Object.keys(condition)
  if (others.length > 0) throw new Error('a condition has one kind')
  const { bool, term, terms, prefix } = condition
  if (kind === 'bool' && bool !== undefined) {
    const { filter = [], should = [], minimum_should_match = 0 } = bool
    const count = should.filter((inner) => matches(properties, inner, content)).length
    return (
      count >= minimum_should_match && filter.every((inner) => matches(properties, inner, content))
    )
  }
  const [[field = '', wanted] = []] = Object.entries(term ?? terms ?? prefix ?? {})
  const { type, index = true } = properties[field] ?? {}
  if (type === undefined || !index) throw new Error(`${field} cannot be searched`)
  const value = content[field] ?? null
  if (value === null) return false
  if (kind === 'prefix' && type === 'keyword') return String(value).startsWith(String(wanted))
  const values = (kind === 'terms' ? wanted : [wanted]) as unknown[]
  if ((kind !== 'term' && kind !== 'terms') || values.length > maxTerms) {
    throw new Error(`${kind} is not supported`)
  }
  if (type === 'text') return values.some((one) => trigramsOf(String(value)).has(String(one)))
  return values.includes(value)
}

const analyzed = new Map<string, Set<string>>()

/** The tokens of the analyzer, by code points. */
function trigramsOf(text: string): Set<string> {
  const known = analyzed.get(text)
  if (known !== undefined) return known
  const characters = [...text]
  const tokens = new Set<string>()
  for (let at = 0; at + 3 <= characters.length; at += 1) {
    tokens.add(characters.slice(at, at + 3).join(''))
  }
  analyzed.set(text, tokens)
  return tokens
}

interface Sorted {
  id: string
  content: Document
  position: number[]
}

/** Documents in the order of numbers, behind a position. */
export function sorted(
  found: readonly [string, Document][],
  { sort = [], search_after }: Pick<Query, 'sort' | 'search_after'>,
): Sorted[] {
  const keys = sort.flatMap((key) => Object.entries(key))
  const compare = (one: number[], other: number[]) => {
    for (const [at, [, direction]] of keys.entries()) {
      const difference = (one[at] ?? 0) - (other[at] ?? 0)
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    return 0
  }
  return found
    .map(([id, content]) => ({
      id,
      content,
      position: keys.map(([name]) => Number(content[name])),
    }))
    .filter(({ position }) => search_after === undefined || compare(position, search_after) > 0)
    .toSorted((one, other) => compare(one.position, other.position))
}
