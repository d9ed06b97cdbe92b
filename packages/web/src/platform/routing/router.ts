import { isReservedPath } from '@stithy/core'
import type { Route, Scope } from './route.ts'

/** A route that an address may mean. */
export interface RouteMatch {
  route: Route
  params: Readonly<Record<string, string>>
}

/** The longest address that is looked up: 20 groups, a ref and the path of a file. */
const maxSegments = 200

/** The longest full path of a project: 20 groups and its own. */
const maxPathSegments = 21

interface Compiled {
  route: Route
  segments: readonly string[]
}

/** Finds the routes of addresses. */
export interface Router {
  /**
   * The routes that an address may mean, the likeliest first: `/a/b/issues` is the list of issues of
   * the project `a/b`, or the project `a/b/issues`.
   * @param path percent-encoded, without a query
   */
  match: (method: string, path: string) => RouteMatch[]
}

/** Looks routes up by their first segment. */
export function createRouter(routes: readonly Route[]): Router {
  const index = Map.groupBy(routes.map(compile), ({ route, segments }) =>
    keyOf(route.method, route.scope, segments[0] ?? ''),
  )
  const find: Find = (method, scope, segments, owner) => {
    const first = segments[0] ?? ''
    const candidates = [
      ...(index.get(keyOf(method, scope, first)) ?? []),
      ...(index.get(keyOf(method, scope, variable)) ?? []),
    ]
    return candidates.flatMap(({ route, segments: pattern }) => {
      const params = matchSegments(pattern, segments)
      return params === undefined ? [] : [{ route, params: { ...owner, ...params } }]
    })
  }
  return {
    match(method, path) {
      const segments = decodePath(path)
      return segments === undefined ? [] : matchAddress(find, method, segments)
    },
  }
}

type Find = (
  method: string,
  scope: Scope,
  segments: readonly string[],
  owner: Readonly<Record<string, string>>,
) => RouteMatch[]

/** What a first segment that may be anything is indexed by. */
const variable = ':'

function keyOf(method: string, scope: Scope, first: string): string {
  return `${method} ${scope} ${first.startsWith(':') || first.startsWith('*') ? variable : first}`
}

function compile(route: Route): Compiled {
  return { route, segments: route.pattern === '' ? [] : route.pattern.split('/') }
}

function decodePath(path: string): string[] | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  if (segments.length > maxSegments) return undefined
  try {
    const decoded = segments.map(decodeURIComponent)
    return decoded.every((text) => text.isWellFormed() && !text.includes('\0'))
      ? decoded
      : undefined
  } catch {
    return undefined
  }
}

function matchAddress(find: Find, method: string, segments: readonly string[]): RouteMatch[] {
  const instance = find(method, 'instance', segments, {})
  if (instance.length > 0) return instance
  const [first = ''] = segments
  if (first === 'groups') return matchGroup(find, method, segments.slice(1))
  if (first === 'users') return matchUser(find, method, segments.slice(1))
  const dash = segments.indexOf('-')
  if (dash === 0 || isReservedPath(first, 'top')) return []
  if (dash === 1) return matchGroup(find, method, segments)
  if (dash > 1) {
    const path = segments.slice(0, dash).join('/')
    const rest = segments.slice(dash + 1)
    return [
      ...find(method, 'project', rest, { project: path }),
      ...find(method, 'group', rest, { group: path }),
    ]
  }
  return [...matchOldForms(find, method, segments), ...matchOwner(find, method, segments)]
}

/**
 * `/groups/a/b/-/milestones/1`, and `/groups/a/b/milestones/1`. Unlike a project, a group may have groups that
 * are named like its pages: those come first.
 */
function matchGroup(find: Find, method: string, segments: readonly string[]): RouteMatch[] {
  const dash = segments.indexOf('-')
  const at = (end: number, start: number) =>
    find(method, 'group', segments.slice(start), { group: segments.slice(0, end).join('/') })
  if (dash >= 0) return dash === 0 ? [] : at(dash, dash + 1)
  const ends = Array.from({ length: Math.min(segments.length, maxPathSegments) }, (_, i) => i + 1)
  return ends.reverse().flatMap((end) => at(end, end))
}

function matchUser(find: Find, method: string, [user, ...rest]: readonly string[]): RouteMatch[] {
  return user === undefined ? [] : find(method, 'user', rest, { user })
}

/** Addresses without `-` between the project and its page. Each match costs calls of the API. */
function matchOldForms(find: Find, method: string, segments: readonly string[]): RouteMatch[] {
  const matches: RouteMatch[] = []
  const longest = Math.min(segments.length - 1, maxPathSegments)
  for (let end = 2; end <= longest; end += 1) {
    const project = segments.slice(0, end).join('/')
    matches.push(...find(method, 'project', segments.slice(end), { project }))
  }
  return matches
}

/** `/a/b`: a project, or a group; `/a`: a group, or a user. */
function matchOwner(find: Find, method: string, segments: readonly string[]): RouteMatch[] {
  const path = segments.join('/')
  if (segments.length === 0) return []
  if (segments.length > 1) {
    return [
      ...find(method, 'project', [], { project: path }),
      ...find(method, 'group', [], { group: path }),
    ]
  }
  return [
    ...find(method, 'group', [], { group: path }),
    ...find(method, 'user', [], { user: path }),
  ]
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [at, name] of pattern.entries()) {
    if (name.startsWith('*')) {
      params[name.slice(1)] = segments.slice(at).join('/')
      return params
    }
    const segment = segments[at]
    if (segment === undefined) return undefined
    if (name.startsWith(':')) params[name.slice(1)] = segment
    else if (name !== segment) return undefined
  }
  return pattern.length === segments.length ? params : undefined
}
