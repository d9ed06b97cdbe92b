const start = '/'
const here = 'http://here.invalid'
const maxLength = 8192

/** The query parameter with the path to return to after signing in. */
export const returnParameter = 'return_to'

/**
 * Validates the path to return to after signing in; the start page for anything else. The result
 * never leads to another server, nor to signing out.
 */
export function returnPath(target: unknown): string {
  if (typeof target !== 'string' || !target.startsWith('/') || target.length > maxLength) {
    return start
  }
  // Resolved as browsers do, which take `/\`, `//` and `/<tab>/` for the start of a host.
  const url = URL.parse(target, here)
  if (url?.origin !== here || url.pathname.startsWith('//')) return start
  return url.pathname.startsWith('/users/sign_') ? start : url.pathname + url.search
}

/** Builds the URL of a page that redirects to `target` afterwards. */
export function withReturn(page: string, target: string): string {
  const path = returnPath(target)
  return path === start ? page : `${page}?${returnParameter}=${encodeURIComponent(path)}`
}
