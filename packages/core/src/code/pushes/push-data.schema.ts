import { z } from 'zod'

/** What a push did to one ref. */
export const PushData = z.object({
  commit_count: z.number().int(),
  action: z.enum(['created', 'pushed', 'removed']),
  ref_type: z.enum(['branch', 'tag']),
  /** Null when the ref was created. */
  commit_from: z.string().nullable(),
  /** Null when the ref was deleted. */
  commit_to: z.string().nullable(),
  /** Without `refs/heads/` or `refs/tags/`. */
  ref: z.string(),
  commit_title: z.string().nullable(),
})
export type PushData = z.output<typeof PushData>
