import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

export const epicStates = ['opened', 'closed'] as const
export type EpicState = (typeof epicStates)[number]

/** An epic as nested in other resources: its texts, without dates and hierarchy. */
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
