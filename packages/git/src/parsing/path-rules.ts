// Characters that HFS+ ignores within names: with them `.git` could be spelled past a check.
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
const gitFolder = /^(\.git|git~[1-9])[. ]*(:.*)?$/i
const maxPathBytes = 4096

function isValidSegment(segment: string): boolean {
  if (segment === '' || segment === '.' || segment === '..') return false
  const spelled = segment.replace(ignoredByHfs, '')
  return !gitFolder.test(spelled) && !spelled.split('\\').some((part) => gitFolder.test(part))
}

/**
 * Whether a file may be written at this path: relative to the root, without `.`, `..` and empty
 * segments, and without anything that some file system would take for git's own folder. A backslash
 * is a separator on some of them, so a name with one could escape the work tree there.
 */
export function isValidPath(path: string): boolean {
  return isTreePath(path) && !path.includes('\\') && path.split('/').every(isValidSegment)
}

/** Whether a tree could have a file at this path, which need not be safe in a work tree. */
export function isTreePath(path: string): boolean {
  if (path === '' || path.includes('\0') || !path.isWellFormed()) return false
  return Buffer.byteLength(path) <= maxPathBytes
}
