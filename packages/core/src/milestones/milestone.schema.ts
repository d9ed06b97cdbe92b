import { z } from 'zod'
import { day, timestamp } from '../contract/fields.ts'

export const milestoneStates = ['active', 'closed'] as const
export type MilestoneState = (typeof milestoneStates)[number]

/** A milestone of a project or a group (document 1, Milestone; catalogue: planning, 1). */
export const Milestone = z.object({
  id: z.int(),
  iid: z.int(),
  /** One of `project_id` and `group_id` is there. */
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

/** How an issue of a milestone came and went (catalogue: planning, 1). */
export const BurndownEvent = z.object({
  created_at: timestamp,
  weight: z.int().nullable(),
  action: z.enum(['created', 'closed', 'reopened']),
})
export type BurndownEvent = z.output<typeof BurndownEvent>
