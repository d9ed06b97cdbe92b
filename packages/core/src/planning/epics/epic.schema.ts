import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { day, timestamp } from '../../platform/contract/fields.ts'

export const epicStates = ['opened', 'closed'] as const
export type EpicState = (typeof epicStates)[number]

/** An epic. */
export const Epic = z.object({
  id: z.int(),
  iid: z.int(),
  group_id: z.int(),
  parent_id: z.int().nullable(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(epicStates),
  author: UserRef,
  /** The fixed date if it is used, else the earliest start of the milestones of its issues. */
  start_date: day.nullable(),
  /** The older name of `due_date`. */
  end_date: day.nullable(),
  /** The fixed date if it is used, else the latest due date of the milestones of its issues. */
  due_date: day.nullable(),
  /** Sorted by title. */
  labels: z.array(z.string()),
  upvotes: z.int(),
  downvotes: z.int(),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  closed_at: timestamp.nullable(),
  /** Where the dates come from: for those who may edit the epic. */
  start_date_is_fixed: z.boolean().optional(),
  start_date_fixed: day.nullable().optional(),
  start_date_from_milestones: day.nullable().optional(),
  due_date_is_fixed: z.boolean().optional(),
  due_date_fixed: day.nullable().optional(),
  due_date_from_milestones: day.nullable().optional(),
  /** In the single view: what is below the epic, on all levels, as far as the caller can read it. */
  descendant_counts: z
    .object({
      opened_epics: z.int(),
      closed_epics: z.int(),
      opened_issues: z.int(),
      closed_issues: z.int(),
    })
    .optional(),
  /** In the single view: the sums of the weights of these issues. */
  descendant_weight_sum: z.object({ opened_issues: z.int(), closed_issues: z.int() }).optional(),
})
export type Epic = z.output<typeof Epic>
