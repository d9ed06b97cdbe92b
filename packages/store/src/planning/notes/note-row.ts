import type { NoteableType, NotePosition } from '@stithy/core'
import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { listedText } from '../../platform/queries/listed-text.ts'
import type { Param } from '../../platform/queries/queries.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** The noteable of a note. */
export type Noteable =
  | { type: 'commit'; projectId: number; commitId: string }
  | { type: Exclude<NoteableType, 'commit'>; id: number; projectId: number | null }

/** A position as stored. */
export type StoredPosition = NotePosition & {
  /** The side on which an unchanged line was commented; the new one if left out. */
  side?: 'old'
  /** Set once a later version of the merge request changed the line: the position stays as it is. */
  outdated?: true
}

/** Where in a diff a note is. */
export interface StoredNotePosition {
  position: StoredPosition
  /** Null in images. */
  lineCode: string | null
}

/** Columns of a `ListedNoteRow`. */
export const noteColumns = [
  'notes.id',
  'notes.projectId',
  'notes.noteableType',
  'notes.noteableId',
  'notes.commitId',
  'notes.discussionId',
  'notes.type',
  'notes.authorId',
  'notes.position',
  'notes.lineCode',
  'notes.system',
  'notes.action',
  'notes.params',
  'notes.sourceType',
  'notes.sourceKey',
  'notes.sourceProjectId',
  'notes.resolvedAt',
  'notes.resolvedById',
  'notes.createdAt',
  'notes.updatedAt',
  ...listedText('notes.body', 'body'),
] as const

type ColumnOf<Name> = Name extends `notes.${infer Column}` ? Column : never

/** A note with the columns that responses show. */
export type NoteRow = Pick<
  Row<'notes'>,
  'body' | (ColumnOf<Extract<(typeof noteColumns)[number], string>> & keyof Row<'notes'>)
>

/** A note as it is read: without a long text, which `findNoteBody` reads. */
export interface ListedNoteRow extends Omit<NoteRow, 'body'> {
  /** Null if it is longer than `maxListedText`. */
  body: string | null
  /** Of the whole text; undefined in a note that was just written. */
  bodyBytes?: number | null
}

/** The arguments of `isOn`. */
export interface NoteableArgs {
  noteableType: NoteableType
  noteableId: number
  projectId: number
  commitId: string
}

/**
 * Every argument has a value; those that do not identify the noteable are not used in the query.
 */
export function noteableArgs(noteable: Noteable): NoteableArgs {
  const { type: noteableType } = noteable
  if (noteable.type === 'commit') {
    const { projectId, commitId } = noteable
    return { noteableType, noteableId: 0, projectId, commitId }
  }
  return { noteableType, noteableId: noteable.id, projectId: 0, commitId: '' }
}

/** Distinguishes the kinds of noteables in the text of a query. */
export function noteableKey({ type }: Noteable): string {
  return type === 'commit' ? 'commit' : 'item'
}

const eb = expressionBuilder<Schema, 'notes'>()

/** Whether a note is on this noteable. */
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
