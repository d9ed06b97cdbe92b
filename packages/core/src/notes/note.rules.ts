import { badRequest, type DomainError, type FieldErrors } from '../errors.ts'
import type { NoteableType, NoteType } from './note.schema.ts'

/** The longest text of a note, in characters. */
export const maxNoteLength = 1_000_000

/** Why a text cannot be a note; undefined where it can. */
export function noteTextProblem(text: string): string | undefined {
  if (text.trim() === '') return "can't be blank"
  return isLongerThan(text, maxNoteLength)
    ? `is too long (maximum is ${maxNoteLength} characters)`
    : undefined
}

/** Counts characters, not units of UTF-16, of which each takes one or two. No text is not too long. */
export function isLongerThan(text: string | null | undefined, limit: number): boolean {
  if (text === undefined || text === null) return false
  if (text.length <= limit || text.length > 2 * limit) return text.length > limit
  let characters = text.length
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) characters -= 1
  }
  return characters > limit
}

/** The refusal of a note or discussion, in the wrapping of catalogue: issues, 1. */
export function noteRefused(text: string): DomainError {
  return badRequest(`400 (Bad request) "${text}" not given`)
}

/** `noteRefused` for fields with the wrong value. */
export function invalidNote(fields: FieldErrors): DomainError {
  return noteRefused(`Note ${JSON.stringify(fields)}`)
}

const noteableNames = {
  commit: 'Commit',
  epic: 'Epic',
  issue: 'Issue',
  merge_request: 'MergeRequest',
  snippet: 'Snippet',
} as const satisfies Record<NoteableType, string>

/** `merge_request` → `MergeRequest`, as answers spell it. */
export function noteableTypeName(type: NoteableType): (typeof noteableNames)[NoteableType] {
  return noteableNames[type]
}

const typeNames = {
  discussion_note: 'DiscussionNote',
  diff_note: 'DiffNote',
} as const satisfies Record<NoteType, string>

/** `diff_note` → `DiffNote`; null for a single comment. */
export function noteTypeName(type: NoteType | null): (typeof typeNames)[NoteType] | null {
  return type === null ? null : typeNames[type]
}

/** Whether a note belongs to a thread that can be resolved: those of merge requests alone. */
export function isResolvable(note: {
  noteableType: NoteableType
  type: NoteType | null
  system: boolean
}): boolean {
  return note.noteableType === 'merge_request' && note.type !== null && !note.system
}

/** Where a reply makes a thread of a single comment (decisions: reply to a single comment). */
const becomeThreads: ReadonlySet<NoteableType> = new Set(['issue', 'merge_request', 'snippet'])

/**
 * Whether a discussion takes replies: a thread does; a single comment only where it can become one,
 * and a system note never.
 */
export function takesReplies(first: {
  noteableType: NoteableType
  type: NoteType | null
  system: boolean
}): boolean {
  if (first.system) return false
  return first.type !== null || becomeThreads.has(first.noteableType)
}
