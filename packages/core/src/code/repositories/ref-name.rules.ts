import {
  maxRefPartBytes,
  refFaults,
  refParts,
  refStartFaults,
} from '../../platform/contract/ref-names.ts'

/** A branch or tag. */
export interface NamedRef {
  type: 'branch' | 'tag'
  /** Without `refs/heads/` or `refs/tags/`. */
  name: string
}

const prefixes: readonly [string, NamedRef['type']][] = [
  ['refs/heads/', 'branch'],
  ['refs/tags/', 'tag'],
]

/** Parses `refs/heads/x` and `refs/tags/x`; undefined for other refs. */
export function parseRef(ref: string): NamedRef | undefined {
  for (const [prefix, type] of prefixes) {
    if (ref.startsWith(prefix) && ref.length > prefix.length) {
      return { type, name: ref.slice(prefix.length) }
    }
  }
  return undefined
}

/** Common file systems don't allow git longer names, since it creates `<name>.lock`. */
const maxRefNameBytes = 1024

/** Whether a text is a valid branch or tag name. */
export function isBranchOrTagName(name: string): boolean {
  if (!refParts.test(name) || refStartFaults.test(name) || refFaults.test(name)) return false
  if (!name.isWellFormed() || bytesOf(name) > maxRefNameBytes) return false
  return name.split('/').every((part) => bytesOf(part) <= maxRefPartBytes)
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
