import { isWellFormedFullPath } from '../../directory/namespaces/path.rules.ts'
import type { ReferenceTarget } from './reference.schema.ts'

const id = /^[1-9]\d{0,14}$/
const sha = /^[0-9a-f]{7,40}$/i
const shaRange = /^([0-9a-f]{7,40})(\.{2,3})([0-9a-f]{7,40})$/i

const numbered: Readonly<Record<string, 'issue' | 'merge_request' | 'snippet' | 'epic'>> = {
  issues: 'issue',
  merge_requests: 'merge_request',
  snippets: 'snippet',
  epics: 'epic',
}

/** Parses a URL below `webUrl`, with or without `/-/` before the kind. */
export function parseReferenceUrl(
  url: string,
  webUrl: string | undefined,
): ReferenceTarget | undefined {
  if (webUrl === undefined || !url.startsWith(`${webUrl}/`)) return undefined
  const [address = '', fragment] = split(url.slice(webUrl.length + 1), '#')
  const [path = ''] = split(address, '?')
  if (path.length > 4096) return undefined
  const note = /^note_([1-9]\d{0,14})$/.exec(fragment ?? '')?.[1]
  const parts = path.split('/')
  if (parts[0] === 'groups') return targetIn(parts.slice(1), { first: 1, note, inGroup: true })
  if (parts[0] === 'snippets') return targetIn(parts, { first: 0, note, inGroup: false })
  return targetIn(parts, { first: 2, note, inGroup: false })
}

function split(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

interface TargetOptions {
  /** Minimum number of segments before the kind. */
  first: number
  note: string | undefined
  inGroup: boolean
}

/** A project may be named like a kind, so the first kind followed by a valid id wins. */
function targetIn(parts: readonly string[], options: TargetOptions): ReferenceTarget | undefined {
  for (let at = options.first; at < parts.length - 1; at += 1) {
    const pathEnd = parts[at - 1] === '-' ? at - 1 : at
    const path = pathEnd === 0 ? null : parts.slice(0, pathEnd).join('/')
    const target = targetOf(parts[at] ?? '', parts[at + 1] ?? '', path, options)
    if (target === undefined) continue
    return path === null || isWellFormedFullPath(path) ? target : undefined
  }
  return undefined
}

function targetOf(
  kind: string,
  name: string,
  path: string | null,
  { note, inGroup }: TargetOptions,
): ReferenceTarget | undefined {
  const item = numbered[kind]
  if (item !== undefined && id.test(name) && (item === 'epic') === inGroup) {
    return { kind: item, path, id: Number(name), ...(note && { noteId: Number(note) }) }
  }
  if (kind === 'milestones' && id.test(name)) {
    return { kind: 'milestone', path, id: Number(name), ...(inGroup && { inGroup }) }
  }
  if (inGroup || path === null) return undefined
  if (kind === 'commit' && sha.test(name)) return { kind: 'commit', path, sha: name.toLowerCase() }
  const [, from, dots, to] = (kind === 'compare' && shaRange.exec(name.toLowerCase())) || []
  if (from === undefined || to === undefined) return undefined
  return { kind: 'commit_range', path, from, to, dots: dots === '..' ? 2 : 3 }
}
