import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

/** Who wrote a comment on a commit: more than a `UserRef` (document 1, Commit). */
export const CommentAuthor = UserRef.extend({
  /** The address that the user shows to everybody; empty where there is none. */
  email: z.string(),
  /** Left out where the profile is private and somebody else looks. */
  created_at: timestamp.optional(),
})
export type CommentAuthor = z.output<typeof CommentAuthor>

/** A comment on a commit (document 1, Commit); the last three are null where it is at no line. */
export const CommitComment = z.object({
  note: z.string(),
  author: CommentAuthor,
  created_at: timestamp,
  path: z.string().nullable(),
  line: z.int().nullable(),
  line_type: z.enum(['new', 'old']).nullable(),
})
export type CommitComment = z.output<typeof CommitComment>
