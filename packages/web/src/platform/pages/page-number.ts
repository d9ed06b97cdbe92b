/**
 * The page of a list that an address asks for, as parameters of the API; nothing for the first.
 * @param name of the parameter, where a page has several lists
 */
export function pageNumber(query: URLSearchParams, name = 'page'): { page?: number } {
  const text = query.get(name) ?? ''
  return /^\d{1,6}$/.test(text) && Number(text) > 0 ? { page: Number(text) } : {}
}
