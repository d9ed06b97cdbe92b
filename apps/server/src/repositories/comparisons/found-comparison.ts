import type { Commit, Diff } from '@stithy/git'

/** What lies between two commits. */
export interface FoundComparison {
  /** Oldest first. */
  commits: Commit[]
  diff: Diff
  /** Whether commits or files were left out. */
  isCut: boolean
  isSame: boolean
}
