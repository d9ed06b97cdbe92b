const start = '/'
const here = 'http://here.invalid'
const maxLength = 2000

/** The parameter that says where somebody wanted to go who has to sign in first. */
export const returnParameter = 'return_to'

/**
 * Where to go after signing in: the path that was asked for, if it is one of this server, and the start
 * page otherwise. No text makes it lead to another server, nor straight out again.
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || wanted.length > maxLength) {
    return start
  }
  // Read as browsers read it, which take `/\`, `//` and `/<tab>/` for the start of a host.
  const url = URL.parse(wanted, here)
  if (url?.origin !== here || url.pathname.startsWith('//')) return start
  return url.pathname.startsWith('/users/sign_') ? start : url.pathname + url.search
}

/** The address of a page that comes before the one that was wanted. */
export function withReturn(page: string, wanted: string): string {
  const path = returnPath(wanted)
  return path === start ? page : `${page}?${returnParameter}=${encodeURIComponent(path)}`
}
