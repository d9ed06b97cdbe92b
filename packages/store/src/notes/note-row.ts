import type { NoteableType, NotePosition } from '@stithy/core'
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Param } from '../queries.ts'
import type { Row, Schema } from '../schema/schema.ts'

/** What notes are on. */
export type Noteable =
  | { type: 'commit'; projectId: number; commitId: string }
  | { type: Exclude<NoteableType, 'commit'>; id: number; projectId: number | null }

/** A position as it is kept. */
export type StoredPosition = NotePosition & {
  /** The side that an unchanged line was commented on by; the new one where it is left out. */
  side?: 'old'
}

/** Where in a diff a note stands. */
export interface NotePlace {
  position: StoredPosition
  /** Null in pictures. */
  lineCode: string | null
}

/** Columns of a `NoteRow`. */
export const noteColumns = [
  'notes.id',
  'notes.projectId',
  'notes.noteableType',
  'notes.noteableId',
  'notes.commitId',
  'notes.discussionId',
  'notes.type',
  'notes.authorId',
  'notes.body',
  'notes.position',
  'notes.lineCode',
  'notes.system',
  'notes.resolvedAt',
  'notes.resolvedById',
  'notes.createdAt',
  'notes.updatedAt',
] as const

type ColumnOf<Name> = Name extends `notes.${infer Column}` ? Column : never

/** A note as answers show it. */
export type NoteRow = Pick<
  Row<'notes'>,
  ColumnOf<(typeof noteColumns)[number]> & keyof Row<'notes'>
>

/** The values by which `isOn` finds notes. */
export interface NoteableArgs {
  noteableType: NoteableType
  noteableId: number
  projectId: number
  commitId: string
}

/** Every value is there; those that do not name the thing stand in no query. */
export function noteableArgs(noteable: Noteable): NoteableArgs {
  const { type: noteableType } = noteable
  if (noteable.type === 'commit') {
    const { projectId, commitId } = noteable
    return { noteableType, noteableId: 0, projectId, commitId }
  }
  return { noteableType, noteableId: noteable.id, projectId: 0, commitId: '' }
}

/** What sets the kinds of things apart in the text of a query. */
export function noteableKey({ type }: Noteable): string {
  return type === 'commit' ? 'commit' : 'thing'
}

const eb = expressionBuilder<Schema, 'notes'>()

/** Whether a note is on this thing. */
export function isOn({ type }: Noteable, $: Param<NoteableArgs>): Expression<SqlBool> {
  if (type === 'commit') {
    return eb.and([
      eb('notes.projectId', '=', $('projectId')),
      eb('notes.commitId', '=', $('commitId')),
    ])
  }
  return eb.and([
    eb('notes.noteableType', '=', $('noteableType')),
    eb('notes.noteableId', '=', $('noteableId')),
  ])
}
