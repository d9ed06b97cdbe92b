import { type EntryType, type TreeEntry, typeOf } from './tree-parser.ts'

/**
 * The entries of a folder, of which only those are parsed that are asked for: an entry takes about
 * 40 bytes, and 300 when it is parsed.
 */
export interface TreeIndex {
  readonly length: number
  /** Bytes in memory. */
  readonly bytes: number
  /** Entries in the order that v4 clients expect: folders, files, submodules, each by name. */
  slice(start: number, end: number): TreeEntry[]
  /** The entry with a name; undefined if there is none. */
  find(name: string): TreeEntry | undefined
  /** The entries whose names start with an ASCII text, in lower case, whatever case they have. */
  startingWith(prefix: string): TreeEntry[]
}

const nul = 0
const space = 0x20
const oidBytes = 20
/** What a name that isn't UTF-8 is shown with. */
const replacement = '\ufffd'

/**
 * Finds the entries in the content of a tree object; those after a damaged one are left out.
 * `folder` is the path of the tree itself.
 */
export function indexTree(content: Buffer, folder: string): TreeIndex {
  const prefix = folder === '' ? '' : `${folder}/`
  const starts = findEntries(content)
  const parse = (start: number): TreeEntry => {
    const { mode, nameStart, nameEnd } = boundsOf(content, start)
    const name = content.toString('utf8', nameStart, nameEnd)
    const oid = content.toString('hex', nameEnd + 1, nameEnd + 1 + oidBytes)
    return { oid, name, type: typeOf(mode), path: prefix + name, mode }
  }
  return {
    length: starts.length,
    bytes: content.length + starts.byteLength,
    slice: (start, end) => Array.from(starts.subarray(start, end), parse),
    find(name) {
      const hasName = nameMatcher(content, name)
      const start = starts.find(hasName)
      return start === undefined ? undefined : parse(start)
    },
    startingWith(prefix) {
      const found = starts.filter((start) => {
        const nameStart = content.indexOf(space, start) + 1
        const text = content.toString('latin1', nameStart, nameStart + prefix.length)
        return text.toLowerCase() === prefix
      })
      return Array.from(found, parse)
    },
  }
}

/** Where entries start: of folders, then files, then submodules, each in git's order. */
function findEntries(content: Buffer): Uint32Array {
  const starts: Record<EntryType, number[]> = { tree: [], blob: [], commit: [] }
  let at = 0
  while (at < content.length) {
    const { mode, nameStart, nameEnd } = boundsOf(content, at)
    if (nameStart === 0 || nameEnd < 0) break
    starts[typeOf(mode)].push(at)
    at = nameEnd + 1 + oidBytes
  }
  return Uint32Array.from([...starts.tree, ...starts.blob, ...starts.commit])
}

function boundsOf(content: Buffer, start: number) {
  const nameStart = content.indexOf(space, start) + 1
  const nameEnd = content.indexOf(nul, nameStart)
  const mode = content.toString('latin1', start, Math.max(nameStart - 1, start)).padStart(6, '0')
  return { mode, nameStart, nameEnd }
}

/** Compares bytes, since a folder may have hundreds of thousands of entries. */
function nameMatcher(content: Buffer, name: string): (start: number) => boolean {
  if (name.includes(replacement)) {
    return (start) => {
      const { nameStart, nameEnd } = boundsOf(content, start)
      return content.toString('utf8', nameStart, nameEnd) === name
    }
  }
  const bytes = Buffer.from(`${name}\0`)
  return (start) => {
    const nameStart = content.indexOf(space, start) + 1
    const end = nameStart + bytes.length
    return end <= content.length && content.compare(bytes, 0, bytes.length, nameStart, end) === 0
  }
}
