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
const maxPartBytes = 250

// biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids exactly these
const forbidden = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$|^\/|^-|\.lock(?:\/|$)|(?:^|\/)\./

/** Whether a text is a valid branch or tag name. */
export function isBranchOrTagName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD') return false
  if (!name.isWellFormed() || bytesOf(name) > maxRefNameBytes) return false
  if (name.split('/').some((part) => bytesOf(part) > maxPartBytes)) return false
  if (name.startsWith('refs/heads/') || name.startsWith('refs/remotes/')) return false
  return !forbidden.test(name)
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
