import { z } from 'zod'

/** What a user is doing; empty texts where none is set. */
export const UserStatus = z.object({
  /** The name of an emoji, without colons. */
  emoji: z.string(),
  message: z.string(),
  /** The message as HTML, with emoji. */
  message_html: z.string(),
})
export type UserStatus = z.output<typeof UserStatus>
