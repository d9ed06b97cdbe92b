import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** Types that can have award emoji. */
export const awardableTypes = ['issue', 'merge_request', 'snippet', 'note', 'epic'] as const
export type AwardableType = (typeof awardableTypes)[number]

/** How often one emoji was awarded to an item or a note. */
export const AwardCount = z.object({
  awardable_id: z.int(),
  awardable_type: z.enum(['Issue', 'MergeRequest', 'Snippet', 'Note', 'Epic']),
  /** Without colons. */
  name: z.string(),
  /** The emoji itself. */
  unicode: z.string(),
  count: z.int(),
  /** The award of the caller; null without one. */
  award_id: z.int().nullable(),
})
export type AwardCount = z.output<typeof AwardCount>

/** An award emoji. */
export const Award = z.object({
  id: z.int(),
  /** Without colons. */
  name: z.string(),
  user: UserRef,
  created_at: timestamp,
  updated_at: timestamp,
  awardable_id: z.int(),
  awardable_type: z.enum(['Issue', 'MergeRequest', 'Snippet', 'Note', 'Epic']),
})
export type Award = z.output<typeof Award>
