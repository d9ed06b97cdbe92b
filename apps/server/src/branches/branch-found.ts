import type { Commit } from '@stithy/git'

/** A branch with everything that is shown of it, whoever asks. */
export interface FoundBranch {
  name: string
  commit: Commit
  /** All of its commits are in the default branch, and it is not at the same commit. */
  merged: boolean
  default: boolean
}
