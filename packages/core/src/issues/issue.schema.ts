import { z } from 'zod'
import { day, timestamp } from '../contract/fields.ts'
import { LabelDetails } from '../labels/label.schema.ts'
import { Milestone } from '../milestones/milestone.schema.ts'
import { UserRef } from '../users/user.schema.ts'
import { TaskCompletionStatus, TimeStats } from '../work-items/work-item.schema.ts'

export const issueStates = ['opened', 'closed'] as const
export type IssueState = (typeof issueStates)[number]

/** An issue where it stands among others (document 1, Issue; catalogue: issues, 2.1). */
export const Issue = z.object({
  id: z.int(),
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(issueStates),
  created_at: timestamp,
  updated_at: timestamp,
  closed_at: timestamp.nullable(),
  closed_by: UserRef.nullable(),
  /** Sorted by title; with `with_labels_details` the labels themselves. */
  labels: z.union([z.array(z.string()), z.array(LabelDetails)]),
  milestone: Milestone.nullable(),
  assignees: z.array(UserRef),
  author: UserRef,
  /** The first of `assignees`. */
  assignee: UserRef.nullable(),
  user_notes_count: z.int(),
  /** Open merge requests that close the issue when they are merged. */
  merge_requests_count: z.int(),
  upvotes: z.int(),
  downvotes: z.int(),
  due_date: day.nullable(),
  confidential: z.boolean(),
  discussion_locked: z.boolean().nullable(),
  web_url: z.string(),
  time_stats: TimeStats,
  task_completion_status: TaskCompletionStatus,
  /** Not in the community tier. */
  weight: z.int().nullable().optional(),
  has_tasks: z.boolean().optional(),
  /** Where there are tasks: `1 of 3 tasks completed`. */
  task_status: z.string().optional(),
  _links: z
    .object({
      self: z.string(),
      notes: z.string(),
      award_emoji: z.string(),
      project: z.string(),
    })
    .optional(),
  subscribed: z.boolean().optional(),
})
export type Issue = z.output<typeof Issue>
