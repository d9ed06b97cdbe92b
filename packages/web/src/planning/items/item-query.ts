import type { Viewer } from '../../platform/pages/page-call.ts'
import { type FilterText, parseFilter } from './filter-text.ts'

/** The terms of lists of issues and merge requests. */
const names = new Set([
  'label',
  'milestone',
  'author',
  'assignee',
  'weight',
  'is',
  'reaction',
  'reviewer',
])

/** Parameters of existing installations, by the term that they mean. */
const oldNames = [
  ['label', 'label_name[]'],
  ['milestone', 'milestone_title'],
  ['author', 'author_username'],
  ['assignee', 'assignee_username'],
] as const

/** The filter of an address: `?filter=label:bug`, or `?label_name[]=bug&search=crash`. */
export function filterOf(query: URLSearchParams): FilterText {
  const text = query.get('filter')
  if (text !== null) return parseFilter(text, names)
  const terms = oldNames.flatMap(([name, old]) => {
    const values = query.getAll(old).filter((value) => value !== '')
    return values.length === 0 ? [] : [[name, values] as const]
  })
  return { terms: new Map(terms), words: query.get('search') ?? '' }
}

/** The filters that lists of issues and of merge requests share, as the API takes them. */
export function itemQuery({ terms, words }: FilterText, viewer: Viewer | null) {
  const last = (name: string) => terms.get(name)?.at(-1)
  const user = (name: string) => {
    const value = last(name)
    return value?.toLowerCase() === 'me' ? viewer?.username : withoutAt(value)
  }
  const labels = terms.get('label')
  const assignee = user('assignee')
  const author = user('author')
  const milestone = last('milestone')
  const reaction = last('reaction')
  return {
    ...(labels !== undefined && labels.length > 0 && { labels: [...labels] }),
    ...(milestone !== undefined && { milestone }),
    ...(author !== undefined && { author_username: author }),
    ...(assignee !== undefined &&
      (isPresence(assignee) ? { assignee_id: assignee } : { assignee_username: assignee })),
    ...(reaction !== undefined && { my_reaction_emoji: reaction }),
    ...(words !== '' && { search: words }),
  }
}

function withoutAt(value: string | undefined): string | undefined {
  return value?.startsWith('@') ? value.slice(1) : value
}

function isPresence(value: string): boolean {
  return ['none', 'any'].includes(value.toLowerCase())
}

/** The orders of such lists; the first is the one without a choice. */
export const itemSorts = [
  { text: 'Newest', sort: 'created_desc' },
  { text: 'Oldest', sort: 'created_asc' },
  { text: 'Recently updated', sort: 'updated_desc' },
  { text: 'Least recently updated', sort: 'updated_asc' },
] as const

/** The order of an address, as the API takes it. */
export function sortOf(query: URLSearchParams) {
  const sort = query.get('sort') ?? ''
  return {
    order_by: sort.startsWith('updated') ? ('updated_at' as const) : ('created_at' as const),
    sort: sort.endsWith('_asc') ? ('asc' as const) : ('desc' as const),
  }
}
