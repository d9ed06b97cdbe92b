import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { day, timestamp } from '../../platform/contract/fields.ts'
import { TaskCompletionStatus, TimeStats } from '../items/work-item.schema.ts'
import { LabelDetails } from '../labels/label.schema.ts'
import { Milestone } from '../milestones/milestone.schema.ts'

export const issueStates = ['opened', 'closed'] as const
export type IssueState = (typeof issueStates)[number]

/** An issue. */
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
  /** Sorted by title; label objects with `with_labels_details`. */
  labels: z.union([z.array(z.string()), z.array(LabelDetails)]),
  milestone: Milestone.nullable(),
  assignees: z.array(UserRef),
  author: UserRef,
  /** The first of `assignees`. */
  assignee: UserRef.nullable(),
  user_notes_count: z.int(),
  /** Open merge requests that will close the issue when merged. */
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
  /** For descriptions with tasks: `1 of 3 tasks completed`. */
  task_status: z.string().optional(),
  _links: z
    .object({
      self: z.string(),
      notes: z.string(),
      award_emoji: z.string(),
      project: z.string(),
    })
    .optional(),
  /** Whether the caller is; not in search results. */
  subscribed: z.boolean().optional(),
})
export type Issue = z.output<typeof Issue>
