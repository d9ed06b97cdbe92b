import { contracts } from '@stithy/core'

/** The segments of each path, of which parameters begin with a colon, and its method. */
let routes: { method: string; template: string[] }[] | undefined

/** The methods that exist for a path, as in the header `Allow`; none for an unknown path. */
export function allowedMethods(path: string): string[] {
  routes ??= Object.values(contracts).flatMap((contract) =>
    Object.values(contract).flatMap(({ method, path: own, aliases = [] }: RouteOf) =>
      [own, ...aliases].map((each) => ({ method, template: `/api/v4${each}`.split('/') })),
    ),
  )
  const segments = path.split('/')
  const found = routes.filter(({ template }) => matches(template, segments))
  const methods = new Set(found.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].toSorted()
}

interface RouteOf {
  method: string
  path: string
  aliases?: readonly string[]
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((name, index) => matchesSegment(name, segments[index] ?? ''))
  )
}

/** A parameter may follow other text, as in `archive.:format`. */
function matchesSegment(name: string, segment: string): boolean {
  const colon = name.indexOf(':')
  if (colon < 0) return segment === name
  return segment.length > colon && segment.startsWith(name.slice(0, colon))
}
