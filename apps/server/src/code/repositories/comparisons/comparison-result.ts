import type { Commit, Diff } from '@stithy/git'

/** The commits and the diff between two commits. */
export interface ComparisonResult {
  /** Oldest first. */
  commits: Commit[]
  diff: Diff
  /** Whether commits or files were left out. */
  isTruncated: boolean
  isSame: boolean
}
