import type { RenderContext } from './render-context.ts'

const linkSchemes = new Set(['http', 'https', 'ftp', 'mailto'])
const imageSchemes = new Set(['http', 'https'])

/**
 * Whether an address may stand in a link or an image: one of the web or of mail, or a relative one. Those
 * that only name a host (`//host`) look like relative ones and lead elsewhere.
 */
export function isSafeAddress(address: string, use: 'link' | 'image' = 'link'): boolean {
  // Browsers overlook blanks and line ends in addresses.
  const seen = address.replace(/[\0-\x20]+/g, '')
  if (/^[\\/]{2}/.test(seen)) return false
  const scheme = /^[^/?#\\:]*(?=:)/.exec(seen)?.[0].toLowerCase()
  if (scheme === undefined) return true
  return (use === 'link' ? linkSchemes : imageSchemes).has(scheme)
}

/** The attributes of a link; one that leads elsewhere gives nothing away and opens beside the page. */
export function linkAttributes(
  { href, title }: { href?: string | undefined; title?: string | undefined },
  context: RenderContext,
): Record<string, string> {
  const attributes: Record<string, string> = {}
  const target = href === undefined ? undefined : resolveAddress(href, context, 'blob')
  if (target !== undefined) attributes.href = target
  if (title !== undefined) attributes.title = title
  if (target === undefined || !leadsElsewhere(target, context)) return attributes
  return { ...attributes, rel: 'nofollow noreferrer noopener', target: '_blank' }
}

/**
 * A relative address in the text of a project names one of its files (or, below `/uploads/`, what was
 * uploaded to it); undefined for what is not safe.
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
  if (project.defaultBranch === null) return address
  const path = withinRoot(address)
  const folder = use === 'blob' && path.split(/[?#]/)[0]?.endsWith('/')
  return `${base}/${folder ? 'tree' : use}/${encodeBranch(project.defaultBranch)}${path}`
}

function leadsElsewhere(address: string, { webUrl }: RenderContext): boolean {
  if (!/^(?:https?|ftp):/i.test(address)) return false
  return address !== webUrl && !address.startsWith(`${webUrl}/`)
}

/** The path from the root on, without `.` and `..`. */
function withinRoot(address: string): string {
  const root = 'http://root/'
  if (!URL.canParse(address, root)) return `/${encodeURI(address)}`
  const url = new URL(address, root)
  return `${url.pathname}${url.search}${url.hash}`
}

function encodeBranch(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}
