import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** The author of a commit comment: has more fields than `UserRef`. */
export const CommentAuthor = UserRef.extend({
  /** The user's public address; empty without one. */
  email: z.string(),
  /** Omitted for private profiles, except to the user themselves. */
  created_at: timestamp.optional(),
})
export type CommentAuthor = z.output<typeof CommentAuthor>

/** A comment on a commit; the last three fields are null when it is not on a line. */
export const CommitComment = z.object({
  note: z.string(),
  /** The size of the whole text in bytes; present if texts are cut. */
  note_size: z.int().optional(),
  author: CommentAuthor,
  created_at: timestamp,
  path: z.string().nullable(),
  line: z.int().nullable(),
  line_type: z.enum(['new', 'old']).nullable(),
})
export type CommitComment = z.output<typeof CommitComment>
