/** The page of a list that an address asks for, as parameters of the API; nothing for the first. */
export function pageNumber(query: URLSearchParams): { page?: number } {
  const text = query.get('page') ?? ''
  return /^\d{1,6}$/.test(text) && Number(text) > 0 ? { page: Number(text) } : {}
}
