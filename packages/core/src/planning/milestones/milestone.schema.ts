import { z } from 'zod'
import { day, timestamp } from '../../platform/contract/fields.ts'

export const milestoneStates = ['active', 'closed'] as const
export type MilestoneState = (typeof milestoneStates)[number]

/** A milestone of a project or group. */
export const Milestone = z.object({
  id: z.int(),
  iid: z.int(),
  /** Either `project_id` or `group_id` is present. */
  project_id: z.int().optional(),
  group_id: z.int().optional(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(milestoneStates),
  created_at: timestamp,
  updated_at: timestamp,
  due_date: day.nullable(),
  start_date: day.nullable(),
  web_url: z.string(),
})
export type Milestone = z.output<typeof Milestone>

/** A change in the open issues of a milestone. */
export const BurndownEvent = z.object({
  created_at: timestamp,
  weight: z.int().nullable(),
  action: z.enum(['created', 'closed', 'reopened']),
})
export type BurndownEvent = z.output<typeof BurndownEvent>
