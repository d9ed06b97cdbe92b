import { z } from 'zod'

const PendingMerge = z.object({
  /** Unique to this attempt. */
  key: z.string(),
  /** Who merges. */
  userId: z.int(),
  /** The commits between which the target branch moves. */
  before: z.string(),
  after: z.string(),
  /** Null for a fast-forward. */
  mergeCommitSha: z.string().nullable(),
})

/**
 * What is needed to finish a merge whose process ended in between. It is stored while the merge
 * request is locked.
 */
export type PendingMerge = z.output<typeof PendingMerge>

/** Parses the stored merge in progress; undefined if there is none. */
export function parsePendingMerge(text: string | null): PendingMerge | undefined {
  return text === null ? undefined : PendingMerge.parse(JSON.parse(text))
}

const WaitingMerge = z.object({
  mergeCommitMessage: z.string().optional(),
  squashCommitMessage: z.string().optional(),
  squash: z.boolean().optional(),
  shouldRemoveSourceBranch: z.boolean().optional(),
})

/** The options with which a merge request waits for its pipeline. */
export type WaitingMerge = z.output<typeof WaitingMerge>

/** Parses the stored options; none are stored for a merge that was queued without any. */
export function parseWaitingMerge(text: string | null): WaitingMerge {
  return text === null ? {} : WaitingMerge.parse(JSON.parse(text))
}
