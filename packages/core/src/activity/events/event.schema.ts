import { z } from 'zod'
import { PushData } from '../../code/pushes/push-data.schema.ts'
import { UserRef } from '../../directory/users/user.schema.ts'
import { EventNote, type NoteType } from '../../planning/notes/note.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** The values of the filter `action`. */
export const eventActions = [
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
] as const
export type EventAction = (typeof eventActions)[number]

/** The values of the filter `target_type`. */
export const eventTargetTypes = [
  'issue',
  'milestone',
  'merge_request',
  'note',
  'project',
  'snippet',
  'user',
] as const
export type EventTargetType = (typeof eventTargetTypes)[number]

/**
 * What an event is about. Notes in threads are separate types, which the filter `note` does not
 * match.
 */
export type EventSubjectType = EventTargetType | NoteType

/** Something that a user did. */
export const ActivityEvent = z.object({
  id: z.number().int(),
  title: z.null(),
  project_id: z.number().int().nullable(),
  action_name: z.string(),
  target_id: z.number().int().nullable(),
  target_iid: z.number().int().nullable(),
  target_type: z.string().nullable(),
  author_id: z.number().int(),
  target_title: z.string().nullable(),
  created_at: timestamp,
  author: UserRef,
  author_username: z.string(),
  note: EventNote.optional(),
  push_data: PushData.optional(),
})
export type ActivityEvent = z.output<typeof ActivityEvent>
