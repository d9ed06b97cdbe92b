import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** Types that can have labels. */
export const labelledTypes = ['issue', 'merge_request', 'epic'] as const
export type LabelledType = (typeof labelledTypes)[number]

/** A label as nested in other resources. */
export const LabelDetails = z.object({
  id: z.int(),
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  text_color: z.string(),
})
export type LabelDetails = z.output<typeof LabelDetails>

/** A label of a group. */
export const GroupLabel = LabelDetails.extend({
  open_issues_count: z.int(),
  closed_issues_count: z.int(),
  open_merge_requests_count: z.int(),
  subscribed: z.boolean(),
})
export type GroupLabel = z.output<typeof GroupLabel>

/** A label available in a project: its own, or one of an ancestor group. */
export const Label = GroupLabel.extend({
  priority: z.int().nullable(),
  is_project_label: z.boolean(),
})
export type Label = z.output<typeof Label>

/** The addition or removal of a label. */
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
