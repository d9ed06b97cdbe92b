import type { Commit, Divergence } from '@stithy/git'

/** A branch with everything that views of it contain, except the caller's rights. */
export interface BranchView {
  name: string
  commit: Commit
  /** Whether the default branch contains all of its commits and points to another one. */
  merged: boolean
  default: boolean
  /** If it was asked for; null if it is not known yet. */
  divergence?: Divergence | null
}
