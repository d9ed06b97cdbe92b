import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'
import { LabelDetails } from '../labels/label.schema.ts'
import { Milestone } from '../milestones/milestone.schema.ts'
import { TaskCompletionStatus, TimeStats } from './work-item.schema.ts'

/** States of a merge request; `locked` only during a merge. */
export const mergeRequestStates = ['opened', 'closed', 'locked', 'merged'] as const
export type MergeRequestState = (typeof mergeRequestStates)[number]

/** Whether the branches can be merged, as last checked. */
export const mergeStatuses = [
  'unchecked',
  'cannot_be_merged_recheck',
  'can_be_merged',
  'cannot_be_merged',
] as const
export type MergeStatus = (typeof mergeStatuses)[number]

/** A merge request in a list. */
export const MergeRequest = z.object({
  id: z.int(),
  iid: z.int(),
  /** Equals `target_project_id`. */
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(mergeRequestStates),
  created_at: timestamp,
  updated_at: timestamp,
  merged_by: UserRef.nullable(),
  merged_at: timestamp.nullable(),
  closed_by: UserRef.nullable(),
  closed_at: timestamp.nullable(),
  target_branch: z.string(),
  source_branch: z.string(),
  user_notes_count: z.int(),
  upvotes: z.int(),
  downvotes: z.int(),
  author: UserRef,
  /** The first of `assignees`. */
  assignee: UserRef.nullable(),
  assignees: z.array(UserRef),
  /** Null when the fork was deleted. */
  source_project_id: z.int().nullable(),
  target_project_id: z.int(),
  /** Sorted by title; label objects with `with_labels_details`. */
  labels: z.union([z.array(z.string()), z.array(LabelDetails)]),
  work_in_progress: z.boolean(),
  milestone: Milestone.nullable(),
  merge_when_pipeline_succeeds: z.boolean(),
  merge_status: z.enum(mergeStatuses),
  /** Head commit of the newest version. */
  sha: z.string(),
  /** Null also for a fast-forward merge. */
  merge_commit_sha: z.string().nullable(),
  discussion_locked: z.boolean().nullable(),
  /** As requested when it was accepted. */
  should_remove_source_branch: z.boolean().nullable(),
  force_remove_source_branch: z.boolean(),
  allow_collaboration: z.boolean(),
  /** The older name of `allow_collaboration`. */
  allow_maintainer_to_push: z.boolean(),
  reference: z.string(),
  web_url: z.string(),
  time_stats: TimeStats,
  squash: z.boolean(),
  task_completion_status: TaskCompletionStatus,
  /** Whether the caller is; not in search results. */
  subscribed: z.boolean().optional(),
})
export type MergeRequest = z.output<typeof MergeRequest>
