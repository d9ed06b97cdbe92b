/** Rows of one page of a list. */
export const perPage = 50

const maxSearchLength = 255

/** The text that a list is searched for; undefined without one. */
export function searchOf(query: URLSearchParams): string | undefined {
  return query.get('search')?.trim().slice(0, maxSearchLength) || undefined
}
