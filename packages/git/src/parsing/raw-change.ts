import { unquotePath } from './quoted-path.ts'

/** An entry of a folder, as a commit left it. */
export interface RawChange {
  name: string
  oid: string
}

const colon = 0x3a
const space = 0x20
const tab = 0x09
const slash = 0x2f
const quote = 0x22
const oidLength = 40

/**
 * Reads a line of `git log --raw --no-abbrev`, also of a combined one; undefined for other lines, and
 * for what is not directly in the folder.
 * @param prefix path of the folder with a slash at its end, or empty
 */
export function readRawChange(line: Buffer, prefix: string): RawChange | undefined {
  if (line[0] !== colon) return undefined
  const pathStart = line.indexOf(tab) + 1
  // Before it are the status, and the id on this side.
  const oidEnd = pathStart > 0 ? line.lastIndexOf(space, pathStart - 2) : -1
  if (oidEnd < oidLength) return undefined
  const name = nameIn(line, pathStart, prefix)
  return name === undefined
    ? undefined
    : { name, oid: line.toString('latin1', oidEnd - oidLength, oidEnd) }
}

function nameIn(line: Buffer, start: number, prefix: string): string | undefined {
  // Most are deeper: those are told by their bytes.
  if (line[start] !== quote && prefix === '' && line.indexOf(slash, start) >= 0) return undefined
  const path = unquotePath(line.toString('utf8', start))
  if (!path.startsWith(prefix)) return undefined
  const name = path.slice(prefix.length)
  return name === '' || name.includes('/') ? undefined : name
}
