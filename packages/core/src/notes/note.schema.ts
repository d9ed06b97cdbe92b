import { z } from 'zod'
import { integer, oneOf, optional, text, timestamp } from '../contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

/** What can be commented on. */
export const noteableTypes = ['commit', 'epic', 'issue', 'merge_request', 'snippet'] as const
export type NoteableType = (typeof noteableTypes)[number]

/** What notes beyond single comments are: part of a thread, or of a thread at a line of a diff. */
export const noteTypes = ['discussion_note', 'diff_note'] as const
export type NoteType = (typeof noteTypes)[number]

const shas = { base_sha: z.string(), start_sha: z.string(), head_sha: z.string() }
const paths = { old_path: z.string(), new_path: z.string() }

/** A line of a diff: an added one has no `old_line`, a removed one no `new_line`. */
export const TextPosition = z.object({
  ...shas,
  ...paths,
  position_type: z.literal('text'),
  old_line: z.int().nullable(),
  new_line: z.int().nullable(),
})
export type TextPosition = z.output<typeof TextPosition>

/** A point of a picture that a diff changes, in pixels. */
export const ImagePosition = z.object({
  ...shas,
  ...paths,
  position_type: z.literal('image'),
  width: z.int(),
  height: z.int(),
  x: z.int(),
  y: z.int(),
})
export type ImagePosition = z.output<typeof ImagePosition>

/** Where in a diff a note stands (catalogue: merge_requests, 6.1). */
export const NotePosition = z.discriminatedUnion('position_type', [TextPosition, ImagePosition])
export type NotePosition = z.output<typeof NotePosition>

const AskedPosition = z.object({
  base_sha: text(),
  start_sha: text(),
  head_sha: text(),
  position_type: oneOf(['text', 'image']),
  ...optional({
    new_path: text(),
    old_path: text(),
    new_line: integer(),
    old_line: integer(),
    width: integer(),
    height: integer(),
    x: integer(),
    y: integer(),
  }),
})

/** A position as callers ask for it; what it needs beyond the hashes depends on its type. */
export type AskedPosition = z.output<typeof AskedPosition>

/** The field of the parameter `position`; null and empty members count as absent, as clients send them. */
export function positionField(): z.ZodType<AskedPosition, z.input<typeof AskedPosition>> {
  return z.preprocess(dropEmpty, AskedPosition) as unknown as z.ZodType<
    AskedPosition,
    z.input<typeof AskedPosition>
  >
}

function dropEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== '')
  return Object.fromEntries(members)
}

/** The fields that a note shows wherever it stands. */
const noteFields = {
  id: z.int(),
  body: z.string(),
  /** Files are linked in the body. */
  attachment: z.null(),
  author: UserRef,
  created_at: timestamp,
  system: z.boolean(),
  /** Null where a commit is commented on: `commit_id` names it. */
  noteable_id: z.int().nullable(),
  noteable_type: z.enum(['Commit', 'Epic', 'Issue', 'MergeRequest', 'Snippet']),
  /** The number within the project, where there is one. */
  noteable_iid: z.int().nullable(),
  /** Stands there for notes on commits. */
  commit_id: z.string().optional(),
}

/** A comment (document 1, Discussion and note; catalogue: merge_requests, 6). */
export const Note = z.object({
  ...noteFields,
  type: z.enum(['DiscussionNote', 'DiffNote']).nullable(),
  updated_at: timestamp,
  resolvable: z.boolean(),
  /** These two stand there for notes that can be resolved. */
  resolved: z.boolean().optional(),
  resolved_by: UserRef.nullable().optional(),
  /** Stands there for notes at a line of a diff. */
  position: NotePosition.optional(),
})
export type Note = z.output<typeof Note>

/** A comment inside the event that tells of it (document 1, Activity event). */
export const EventNote = z.object(noteFields)
export type EventNote = z.output<typeof EventNote>
