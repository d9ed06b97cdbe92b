import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import {
  integer,
  oneOf,
  optional,
  type TextOptions,
  text,
  timestamp,
} from '../../platform/contract/fields.ts'
import { filePathText } from '../../platform/contract/text-options.ts'
import { Suggestion } from '../suggestions/suggestion.schema.ts'

/** Types that can be commented on. */
export const noteableTypes = ['commit', 'epic', 'issue', 'merge_request', 'snippet'] as const
export type NoteableType = (typeof noteableTypes)[number]

/** Types of notes other than single comments: in a thread, or in a thread on a diff. */
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

/** A point of an image in a diff, in pixels. */
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

/** The position of a note in a diff. */
export const NotePosition = z.discriminatedUnion('position_type', [TextPosition, ImagePosition])
export type NotePosition = z.output<typeof NotePosition>

const shaText: TextOptions = { rules: { minLength: 1 } }

/** What a position needs besides the hashes, as JSON schema; `if` is known to few tools. */
const positionNeeds = {
  allOf: [
    { anyOf: ['new_path', 'old_path'].map((name) => present(name, { minLength: 1 })) },
    {
      anyOf: [
        present('new_line', { type: 'integer' }),
        present('old_line', { type: 'integer' }),
        { properties: { position_type: { enum: ['image'] } } },
      ],
    },
    {
      anyOf: [
        { allOf: ['width', 'height', 'x', 'y'].map((name) => present(name, { minimum: 0 })) },
        { properties: { position_type: { enum: ['text'] } } },
      ],
    },
  ],
}

function present(name: string, schema: object) {
  return { required: [name], properties: { [name]: schema } }
}

const RequestedPosition = z
  .object({
    base_sha: text(shaText),
    start_sha: text(shaText),
    head_sha: text(shaText),
    position_type: oneOf(['text', 'image']),
    ...optional({
      new_path: text(filePathText),
      old_path: text(filePathText),
      new_line: integer(),
      old_line: integer(),
      width: integer(),
      height: integer(),
      x: integer(),
      y: integer(),
    }),
  })
  .meta(positionNeeds)

/** A requested position; which fields are required besides the hashes depends on its type. */
export type RequestedPosition = z.output<typeof RequestedPosition>

/** The parameter `position`; null and empty members count as absent, as clients send them. */
export function positionField(): z.ZodType<RequestedPosition, z.input<typeof RequestedPosition>> {
  return z.preprocess(dropEmpty, RequestedPosition) as unknown as z.ZodType<
    RequestedPosition,
    z.input<typeof RequestedPosition>
  >
}

function dropEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== '')
  return Object.fromEntries(members)
}

/** Fields common to all shapes of a note. */
const noteFields = {
  id: z.int(),
  body: z.string(),
  /** The size of the whole text in bytes; present if texts are cut. */
  body_size: z.int().optional(),
  /** Always null: files are linked in the body. */
  attachment: z.null(),
  author: UserRef,
  created_at: timestamp,
  system: z.boolean(),
  /** Null on commits, which `commit_id` identifies. */
  noteable_id: z.int().nullable(),
  noteable_type: z.enum(['Commit', 'Epic', 'Issue', 'MergeRequest', 'Snippet']),
  /** The iid, if the noteable has one. */
  noteable_iid: z.int().nullable(),
  /** Present on commits. */
  commit_id: z.string().optional(),
}

/** A comment. */
export const Note = z.object({
  ...noteFields,
  type: z.enum(['DiscussionNote', 'DiffNote']).nullable(),
  updated_at: timestamp,
  resolvable: z.boolean(),
  /** These two are present on resolvable notes. */
  resolved: z.boolean().optional(),
  resolved_by: UserRef.nullable().optional(),
  /** Present on lines of a diff. */
  position: NotePosition.optional(),
  /** Present on the diff of a merge request. */
  suggestions: z.array(Suggestion).optional(),
})
export type Note = z.output<typeof Note>

/** A comment nested in its activity event. */
export const EventNote = z.object(noteFields)
export type EventNote = z.output<typeof EventNote>
