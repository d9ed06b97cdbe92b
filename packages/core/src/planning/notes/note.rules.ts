import { maxProseLength } from '../../platform/contract/text-options.ts'
import { badRequest, type DomainError, type FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import type { NoteableType, NoteType } from './note.schema.ts'

/** Validates the text of a note; returns the error, or undefined. */
export function noteTextProblem(text: string): string | undefined {
  if (text.trim() === '') return "can't be blank"
  return isLongerThan(text, maxProseLength) ? tooLong(maxProseLength) : undefined
}

/** The error for a rejected note or discussion, in the format that v4 clients expect. */
export function noteRefused(text: string): DomainError {
  return badRequest(`400 (Bad request) "${text}" not given`)
}

/** `noteRefused` for fields with invalid values. */
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

/** `merge_request` → `MergeRequest`, as responses spell it. */
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

/** Whether a note belongs to a resolvable thread: only merge requests have them. */
export function isResolvable(note: {
  noteableType: NoteableType
  type: NoteType | null
  system: boolean
}): boolean {
  return note.noteableType === 'merge_request' && note.type !== null && !note.system
}

/** Whether a note may suggest changes: one on the diff of a merge request. */
export function takesSuggestions(note: {
  noteableType: NoteableType
  type: NoteType | null
  system: boolean
}): boolean {
  return isResolvable(note) && note.type === 'diff_note'
}

/** Where a reply turns a single comment into a thread. */
const becomeThreads: ReadonlySet<NoteableType> = new Set(['issue', 'merge_request', 'snippet'])

/**
 * Whether a discussion accepts replies: a thread does; a single comment only where it can become
 * one, and a system note never.
 */
export function acceptsReplies(first: {
  noteableType: NoteableType
  type: NoteType | null
  system: boolean
}): boolean {
  if (first.system) return false
  return first.type !== null || becomeThreads.has(first.noteableType)
}
