import type { RenderContext } from './render-context.ts'

const linkSchemes = new Set(['http', 'https', 'ftp', 'mailto'])
const imageSchemes = new Set(['http', 'https'])

/**
 * Whether a URL is safe in a link or an image: http, https, mailto, or relative. Protocol-relative
 * URLs (`//host`) look relative but lead to another host, so they are not.
 */
export function isSafeAddress(address: string, use: 'link' | 'image' = 'link'): boolean {
  // Browsers ignore white space in URLs.
  const compact = address.replace(/[\0-\x20]+/g, '')
  if (/^[\\/]{2}/.test(compact)) return false
  const scheme = /^[^/?#\\:]*(?=:)/.exec(compact)?.[0].toLowerCase()
  if (scheme === undefined) return true
  return (use === 'link' ? linkSchemes : imageSchemes).has(scheme)
}

/** Attributes of a link; an external one sends no referrer and opens in a new tab. */
export function linkAttributes(
  { href, title }: { href?: string | undefined; title?: string | undefined },
  context: RenderContext,
): Record<string, string> {
  const attributes: Record<string, string> = {}
  const target = href === undefined ? undefined : resolveAddress(href, context, 'blob')
  if (target !== undefined) attributes.href = target
  if (title !== undefined) attributes.title = title
  if (target === undefined || !isCrossOrigin(target, context)) return attributes
  return { ...attributes, rel: 'nofollow noreferrer noopener', target: '_blank' }
}

/**
 * Resolves a relative URL in the text of a project: to one of its files or, below `/uploads/`, to
 * an upload. Undefined for an unsafe URL.
 */
export function resolveAddress(
  address: string,
  { project, webUrl }: RenderContext,
  use: 'blob' | 'raw',
): string | undefined {
  if (!isSafeAddress(address, use === 'blob' ? 'link' : 'image')) return undefined
  if (project === undefined || address === '' || /^(?:[#?]|[a-z][a-z0-9+.-]*:)/i.test(address)) {
    return address
  }
  const base = `${webUrl}/${project.fullPath}`
  if (/^\/uploads\/[0-9a-f]{32}\/[^/]+$/.test(address)) return `${base}${address}`
  if (project.wiki !== undefined) return `${base}${wikiAddress(address, project.wiki)}`
  if (project.ref === null) return address
  const path = withinRoot(address, project.path)
  const folder = use === 'blob' && path.split(/[?#]/)[0]?.endsWith('/')
  return `${base}/${folder ? 'tree' : use}/${encodeSegments(project.ref)}${path}`
}

/** Pages are beside the page that links to them; files are below the root of the wiki. */
function wikiAddress(address: string, page: string): string {
  const isFile = /^\/?uploads\/[0-9a-f]{32}\/[^/]+$/.test(address)
  return isFile ? `/wikis${withinRoot(address)}` : `/-/wikis${withinRoot(address, page)}`
}

function isCrossOrigin(address: string, { webUrl }: RenderContext): boolean {
  if (!/^(?:https?|ftp):/i.test(address)) return false
  return address !== webUrl && !address.startsWith(`${webUrl}/`)
}

/** The path from the root, with `.` and `..` resolved from the folder of a file. */
function withinRoot(address: string, file = ''): string {
  const root = `http://root/${encodeSegments(file)}`
  if (!URL.canParse(address, root)) return `/${encodeURI(address)}`
  const url = new URL(address, root)
  return `${url.pathname}${url.search}${url.hash}`
}

function encodeSegments(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
