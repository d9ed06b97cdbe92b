import { maxUrlLength } from '../../platform/contract/text-options.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

/** Maximum number of redirect URIs of an application. */
export const maxRedirectUris = 20

/** Schemes that run scripts in a browser, read its files or don't come back to an application. */
const refusedSchemes: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'javascript',
  'mailto',
  'tel',
  'urn',
  'vbscript',
  'view-source',
  'ws',
  'wss',
])

/** Splits the parameter `redirect_uri` of an application: one URI in each line. */
export function splitRedirectUris(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/**
 * What is wrong with a redirect URI that is registered (RFC 6749, section 3.1.2; RFC 8252, section
 * 7); undefined if nothing is. It is stored and compared as a text, so it must be one that all
 * parsers read alike: ASCII, without a user name, with a plain host.
 */
export function redirectUriError(uri: string): string | undefined {
  if (isLongerThan(uri, maxUrlLength)) return tooLong(maxUrlLength)
  // Printable ASCII that a URI may have (RFC 3986, appendix A).
  if (!/^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(uri)) return 'must be a valid URI.'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'must be an absolute URI.'
  if (refusedSchemes.has(scheme)) return 'is forbidden by the server.'
  if (uri.includes('#')) return 'cannot contain a fragment.'
  if (!URL.canParse(uri)) return 'must be a valid URI.'
  const isWeb = scheme === 'http' || scheme === 'https'
  if (isWeb) return webUriError(uri)
  return uri.length > scheme.length + 1 ? undefined : 'must be an absolute URI.'
}

function webUriError(uri: string): string | undefined {
  const authority = /^https?:\/\/([^/?]+)/i.exec(uri)?.[1]
  if (authority === undefined) return 'must be an absolute URI.'
  if (authority.includes('@')) return 'must not contain a user name or password.'
  return /^(?:[a-z\d.-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i.test(authority)
    ? undefined
    : 'must be a valid URI.'
}

/** The URI of a server on the user's own machine, by its address, without its port. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?((?:[/?].*)?)$/

/**
 * Whether a redirect URI of a request is the registered one, character by character (RFC 6749,
 * section 3.1.2.3). The port of a loopback address may be any one, since native applications get
 * theirs from the operating system (RFC 8252, section 7.3).
 */
export function isRedirectUri(requested: string, registered: string): boolean {
  if (requested === registered) return true
  if (requested.length > maxUrlLength + 6) return false
  const [one, other] = [loopback.exec(requested), loopback.exec(registered)]
  if (one === null || other === null) return false
  const port = Number(one[2] ?? 80)
  return one[1] === other[1] && one[3] === other[3] && port > 0 && port < 65_536
}

/** Adds parameters to the query, or the fragment, of a redirect URI, and keeps the query it has. */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  part: 'query' | 'fragment',
): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => {
    return pair[1] !== undefined
  })
  const text = new URLSearchParams(pairs).toString()
  if (part === 'fragment') return `${uri}#${text}`
  if (!uri.includes('?')) return `${uri}?${text}`
  return /[?&]$/.test(uri) ? `${uri}${text}` : `${uri}&${text}`
}
