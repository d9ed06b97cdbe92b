import { type Contract, contracts, type EndpointSpec } from '@stithy/core'
import type { FastifyInstance } from 'fastify'

/** A method of a path, as the contracts declare it. */
interface Route {
  method: string
  /** Below `/api/v4`, parameters with a colon. */
  path: string
  segments: readonly string[]
  /** The names of parameters that are numbers. */
  numbers: ReadonlySet<string>
}

let known: readonly Route[] | undefined

function routes(): readonly Route[] {
  known ??= Object.values<Contract>(contracts).flatMap((contract) =>
    Object.values(contract).flatMap(routesOf),
  )
  return known
}

function routesOf({ method, path, aliases = [], params }: EndpointSpec): Route[] {
  const numbers = new Set(Object.keys(params?.shape ?? {}))
  return [path, ...aliases].map((each) => ({
    method,
    path: each,
    segments: each.split('/'),
    numbers,
  }))
}

/**
 * The methods that exist for a path of the API, as in the header `Allow`; none for an unknown path.
 * A word where a path has a number is looked for among the fixed paths first: `/snippets/public`.
 */
export function allowedMethods(path: string): string[] {
  const segments = path.replace(/^\/api\/v4(?=\/)/, '').split('/')
  if (segments.join('/') === path) return []
  const found = routes().filter((route) => matches(route, segments))
  const exact = found.filter((route) => hasNumbers(route, segments))
  const methods = new Set((exact.length > 0 ? exact : found).map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].toSorted()
}

/** The routes of a server that are no endpoints of a contract. */
export interface OwnRoutes {
  /** The methods of a path, as in the header `Allow`; none for an unknown one. */
  methods: (path: string) => string[]
}

/** Collects the routes that are registered from now on; a wildcard says nothing about a path. */
export function collectRoutes(server: FastifyInstance): OwnRoutes {
  const own: Pick<Route, 'method' | 'segments'>[] = []
  server.addHook('onRoute', ({ method, url, constraints }) => {
    const isFixed = !url.includes('*') && Object.keys(constraints ?? {}).length === 0
    if (url.startsWith('/api/v4/') || !isFixed) return
    for (const each of [method].flat()) own.push({ method: each, segments: url.split('/') })
  })
  return {
    methods(path) {
      const segments = path.split('/')
      return own.filter((route) => matches(route, segments)).map(({ method }) => method)
    },
  }
}

/**
 * The methods of fixed paths that only a path with a number in the place of a word has: those of
 * `/snippets/:snippet_id` for `/snippets/public`.
 */
export function shadowedRoutes(): { method: string; path: string }[] {
  const taken = new Set(routes().map(({ method, path }) => `${method} ${path}`))
  // Looked for at every start: few routes begin alike, are as long, and have numbers.
  const shapeOf = ({ segments }: Route) => `${segments.length} ${segments[1]}`
  const numbered = routes().filter(({ numbers }) => numbers.size > 0)
  const byShape = Map.groupBy(numbered, shapeOf)
  return routes().flatMap((route) =>
    (byShape.get(shapeOf(route)) ?? [])
      .filter((other) => shadows(other, route.segments))
      .map(({ method }) => ({ method, path: route.path }))
      .filter(({ method, path }) => {
        const key = `${method} ${path}`
        const isNew = !taken.has(key)
        taken.add(key)
        return isNew
      }),
  )
}

/**
 * Whether a route has a number where a path of as many segments has a word, and nothing else is
 * different.
 */
function shadows(route: Route, segments: readonly string[]): boolean {
  let words = 0
  for (const [index, segment] of segments.entries()) {
    const name = parameterOf(route.segments[index] ?? '')
    if (name === undefined && segment !== route.segments[index]) return false
    if (name === undefined || segment.startsWith(':')) continue
    if (!route.numbers.has(name)) return false
    words += 1
  }
  return words > 0
}

/** Whether every number of a route is a number in a path. */
function hasNumbers(route: Route, segments: readonly string[]): boolean {
  return route.segments.every((segment, index) => {
    const name = parameterOf(segment)
    return name === undefined || !route.numbers.has(name) || /^\d+$/.test(segments[index] ?? '')
  })
}

function parameterOf(segment: string): string | undefined {
  return segment.startsWith(':') ? segment.slice(1) : undefined
}

function matches(route: Pick<Route, 'segments'>, segments: readonly string[]): boolean {
  return (
    route.segments.length === segments.length &&
    route.segments.every((name, index) => matchesSegment(name, segments[index] ?? ''))
  )
}

/** A parameter may follow other text, as in `archive.:format`. */
function matchesSegment(name: string, segment: string): boolean {
  const colon = name.indexOf(':')
  if (colon < 0) return segment === name
  return segment.length > colon && segment.startsWith(name.slice(0, colon))
}
