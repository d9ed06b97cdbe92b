import { contracts } from '@stithy/core'

let patterns: RegExp[] | undefined

/** Whether another method exists for this path: then the response is 405, not 404. */
export function isKnownPath(path: string): boolean {
  patterns ??= Object.values(contracts).flatMap((contract) =>
    Object.values(contract).flatMap(({ path: own, aliases = [] }: PathsOf) =>
      [own, ...aliases].map(toPattern),
    ),
  )
  return patterns.some((pattern) => pattern.test(path))
}

interface PathsOf {
  path: string
  aliases?: readonly string[]
}

function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.+^$()[\]{}|\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^/api/v4${escaped}$`)
}
