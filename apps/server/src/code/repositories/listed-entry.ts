import type { Commit, TreeEntry } from '@stithy/git'

/** An entry of a directory; `lastCommit` if it was asked for, null if it is not known yet. */
export interface ListedEntry extends TreeEntry {
  lastCommit?: Commit | null
}
