import type { MergeRequest } from '@stithy/core'

/**
 * The fields of a merge request whose features are not part of the program: without labels, milestones,
 * award emoji and notes on merge requests there can be none of them.
 */
export const laterParts = {
  labels: [],
  milestone: null,
  upvotes: 0,
  downvotes: 0,
  user_notes_count: 0,
} satisfies Partial<MergeRequest>
