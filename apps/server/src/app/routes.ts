import { contracts } from '@stithy/core'

/** The segments of all paths; parameters begin with a colon. */
let templates: string[][] | undefined

/** Whether another method exists for this path: then the response is 405, not 404. */
export function isKnownPath(path: string): boolean {
  templates ??= Object.values(contracts).flatMap((contract) =>
    Object.values(contract).flatMap(({ path: own, aliases = [] }: PathsOf) =>
      [own, ...aliases].map((each) => `/api/v4${each}`.split('/')),
    ),
  )
  const segments = path.split('/')
  return templates.some((template) => matches(template, segments))
}

interface PathsOf {
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
