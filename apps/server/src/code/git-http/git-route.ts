import type { TransportService } from '@stithy/git'

/** The parsed request to a repository. */
export type GitRoute =
  | { kind: 'advertise'; path: string; service: TransportService }
  /** A clone with the dumb protocol, which is not served. */
  | { kind: 'dumb' }
  /** The path lacks `.git`. */
  | { kind: 'redirect'; location: string }
  | { kind: 'upload-pack'; path: string }
  | { kind: 'receive-pack'; path: string }

const services: Record<string, TransportService> = {
  'git-upload-pack': 'upload-pack',
  'git-receive-pack': 'receive-pack',
}

const call = /^\/(.+)\/(info\/refs|git-upload-pack|git-receive-pack)$/
/** Longest full path of a project: twenty groups and the project, each percent-encoded. */
const maxPathLength = 21 * 256 * 3
/** First path segments that belong to the service itself. */
const reserved = /^(?:api|-)\//

/** Whether a request is one to a repository. Asked for every request. */
export function isGitRequest(method: string, url: string): boolean {
  const isLikely = url.includes('/info/refs') || url.includes('/git-')
  return isLikely && parseGitRoute(method, url) !== undefined
}

/** Parses the method and URL of a request; undefined if it is no git request. */
export function parseGitRoute(method: string, url: string): GitRoute | undefined {
  const [address = '', query = ''] = url.split('?', 2)
  const [, encoded, action] = call.exec(address) ?? []
  if (encoded === undefined || encoded.length > maxPathLength) return undefined
  if (!encoded.includes('/') || reserved.test(encoded)) return undefined
  const path = decode(encoded)
  if (path === undefined) return undefined
  const service = new URLSearchParams(query).get('service')
  if (!path.endsWith('.git')) return redirect(method, encoded, action, service)
  const project = path.slice(0, -'.git'.length)
  if (action === 'info/refs' && method !== 'POST') return advertise(project, service)
  if (method !== 'POST' || action === 'info/refs') return undefined
  return { kind: action === 'git-upload-pack' ? 'upload-pack' : 'receive-pack', path: project }
}

function advertise(path: string, name: string | null): GitRoute {
  const service = name === null ? undefined : services[name]
  return service === undefined ? { kind: 'dumb' } : { kind: 'advertise', path, service }
}

/** Git keeps the URL that it is redirected to, so only the first request can be redirected. */
function redirect(
  method: string,
  encoded: string,
  action: string | undefined,
  service: string | null,
): GitRoute | undefined {
  if (method !== 'GET' || action !== 'info/refs') return undefined
  if (service === null || !(service in services)) return undefined
  return { kind: 'redirect', location: `/${encoded}.git/info/refs?service=${service}` }
}

function decode(encoded: string): string | undefined {
  try {
    const path = decodeURIComponent(encoded)
    return path.includes('\0') || !path.isWellFormed() ? undefined : path
  } catch {
    return undefined
  }
}
