import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

export const epicStates = ['opened', 'closed'] as const
export type EpicState = (typeof epicStates)[number]

/** An epic where other things name it (document 1, Epic): what it says, without its dates and its family. */
export const EpicRef = z.object({
  id: z.int(),
  iid: z.int(),
  group_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(epicStates),
  author: UserRef,
  /** Sorted by title. */
  labels: z.array(z.string()),
  upvotes: z.int(),
  downvotes: z.int(),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  closed_at: timestamp.nullable(),
})
export type EpicRef = z.output<typeof EpicRef>
