import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { EventNote, type NoteType } from '../notes/note.schema.ts'
import { UserRef } from '../users/user.schema.ts'

/** What may be done, as the filter `action` spells it (document 1, Events). */
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

/** To what it may be done, as the filter `target_type` spells it (document 1, Events). */
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

/** What an event is about. Notes of threads are told apart, and the filter `note` finds none of them. */
export type EventSubjectType = EventTargetType | NoteType

/** What a push did to one ref (catalogue: repository, 14). */
export const PushData = z.object({
  commit_count: z.number().int(),
  action: z.enum(['created', 'pushed', 'removed']),
  ref_type: z.enum(['branch', 'tag']),
  /** Null where the ref is new. */
  commit_from: z.string().nullable(),
  /** Null where the ref was removed. */
  commit_to: z.string().nullable(),
  /** Without `refs/heads/` or `refs/tags/`. */
  ref: z.string(),
  commit_title: z.string().nullable(),
})
export type PushData = z.output<typeof PushData>

/** Something that a user did (document 1, Activity event). */
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
