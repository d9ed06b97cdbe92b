import type { TreeEntry as WireEntry } from '@stithy/core'
import type { TreeEntry } from '@stithy/git'

/** Entries of a directory as they go over the wire. */
export function presentTree(entries: readonly TreeEntry[]): WireEntry[] {
  return entries.map(({ oid, name, type, path, mode }) => ({ id: oid, name, type, path, mode }))
}
