/** The types of a tree entry: a folder, a file (or symbolic link), a submodule. */
export type EntryType = 'tree' | 'blob' | 'commit'

/** One entry of a tree. */
export interface TreeEntry {
  oid: string
  name: string
  type: EntryType
  /** Relative to the root of the repository. */
  path: string
  /** Six octal digits: `040000`, `100644`, `100755`, `120000`, `160000`. */
  mode: string
}

const nul = 0
const space = 0x20
const zero = 0x30
const oidBytes = 20

/** The type of an entry, from the six digits of its mode. */
export function typeOf(mode: string): EntryType {
  if (mode === '040000') return 'tree'
  return mode === '160000' ? 'commit' : 'blob'
}

/** An entry as the tree object stores it. */
interface RawEntry {
  /** In Latin-1: names need not be UTF-8. */
  name: string
  /** Without leading zeros: `40000` for a folder. */
  mode: string
  oid: string
}

/**
 * Splits the content of a tree object into its entries, in git's order. `whole` is false if it is
 * damaged: then entries are missing.
 */
export function splitTree(content: Buffer): { entries: RawEntry[]; whole: boolean } {
  const entries: RawEntry[] = []
  let at = 0
  while (at < content.length) {
    const modeEnd = content.indexOf(space, at)
    const nameEnd = content.indexOf(nul, modeEnd)
    if (modeEnd < 0 || nameEnd < 0) break
    const start = content[at] === zero ? at + 1 : at
    const mode = content.toString('latin1', start, modeEnd)
    const name = content.toString('latin1', modeEnd + 1, nameEnd)
    at = nameEnd + 1 + oidBytes
    entries.push({ name, mode, oid: content.toString('hex', nameEnd + 1, at) })
  }
  return { entries, whole: at === content.length }
}

/** A line of `ls-tree -z`, with a size if requested. */
export interface ListedEntry extends TreeEntry {
  /** Bytes of a blob; absent if not requested, or for other types. */
  size?: number
}

/**
 * Parses one line of `git ls-tree -r -z`, with or without `-l`. `folder` is the path of the listed
 * tree. Undefined if it is damaged.
 */
export function parseListedEntry(bytes: Buffer, folder: string): ListedEntry | undefined {
  const line = bytes.toString('utf8')
  const tab = line.indexOf('\t')
  if (tab < 0) return undefined
  const [mode = '', type, oid = '', size] = line.slice(0, tab).split(/ +/)
  const path = (folder === '' ? '' : `${folder}/`) + line.slice(tab + 1)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const entry = { oid, name, type: type as EntryType, path, mode }
  return size === undefined || size === '-' ? entry : { ...entry, size: Number(size) }
}
