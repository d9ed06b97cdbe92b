import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

/** What takes labels. */
export const labelledTypes = ['issue', 'merge_request', 'epic'] as const
export type LabelledType = (typeof labelledTypes)[number]

/** A label as it is shown beside other things (document 1, Issue). */
export const LabelDetails = z.object({
  id: z.int(),
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  text_color: z.string(),
})
export type LabelDetails = z.output<typeof LabelDetails>

/** A label of a group (catalogue: planning, 4.1). */
export const GroupLabel = LabelDetails.extend({
  open_issues_count: z.int(),
  closed_issues_count: z.int(),
  open_merge_requests_count: z.int(),
  subscribed: z.boolean(),
})
export type GroupLabel = z.output<typeof GroupLabel>

/** A label in a project: its own, or one of a group above (document 1, Label). */
export const Label = GroupLabel.extend({
  priority: z.int().nullable(),
  is_project_label: z.boolean(),
})
export type Label = z.output<typeof Label>

/** A label that was given or taken (document 1, Resource label event). */
export const LabelEvent = z.object({
  id: z.int(),
  user: UserRef,
  created_at: timestamp,
  resource_type: z.enum(['Issue', 'Epic', 'MergeRequest']),
  resource_id: z.int(),
  /** Null once the label is deleted. */
  label: LabelDetails.omit({ text_color: true }).nullable(),
  action: z.enum(['add', 'remove']),
})
export type LabelEvent = z.output<typeof LabelEvent>
