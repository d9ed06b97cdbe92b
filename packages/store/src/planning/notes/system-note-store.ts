import {
  type NoteableType,
  type SystemNote,
  type SystemNoteAction,
  type SystemNoteSource,
  systemNoteParams,
} from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, jsonText, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'
import type { Noteable, StoredNotePosition } from './note-row.ts'

/** A system note to create. */
export interface NewSystemNote {
  noteable: Noteable
  discussionId: string
  /** Set in a thread on a diff. */
  position?: StoredNotePosition | undefined
  /** The user who made the change. */
  authorId: number
  note: SystemNote
  /** Milliseconds since the epoch. */
  createdAt: number
}

const insertedColumns = [
  'noteableType',
  'noteableId',
  'projectId',
  'commitId',
  'discussionId',
  'type',
  'position',
  'lineCode',
  'authorId',
  'action',
  'params',
  'sourceType',
  'sourceKey',
  'sourceProjectId',
  'createdAt',
] as const

/** Inserts a system note. */
export async function insertSystemNote(
  tx: Transaction,
  { noteable, note, position, ...common }: NewSystemNote,
): Promise<void> {
  const row = {
    ...common,
    noteableType: noteable.type,
    noteableId: noteable.type === 'commit' ? null : noteable.id,
    projectId: noteable.projectId,
    commitId: noteable.type === 'commit' ? noteable.commitId : null,
    type: position === undefined ? null : ('diff_note' as const),
    position: position === undefined ? null : jsonText(position.position),
    lineCode: position?.lineCode ?? null,
    action: note.action,
    params: systemNoteParams(note),
    ...sourceColumns(note.source),
  }
  await tx.run('system-notes.insert', row, (db, $) =>
    db.insertInto('notes').values({
      ...pick($, insertedColumns),
      body: '',
      system: 1,
      updatedAt: $('createdAt'),
    }),
  )
}

type SourceColumns = Pick<Row<'notes'>, 'sourceType' | 'sourceKey' | 'sourceProjectId'>

/** The columns that store the source of a system note. */
export function sourceColumns(source: SystemNoteSource | undefined): SourceColumns {
  return {
    sourceType: source?.type ?? null,
    sourceKey: source?.key ?? null,
    sourceProjectId: source?.projectId ?? null,
  }
}

/** The source that the columns of a system note store. */
export function sourceFrom({
  sourceType: type,
  sourceKey: key,
  sourceProjectId: projectId,
}: SourceColumns): SystemNoteSource | undefined {
  return type === null || key === null ? undefined : { type, key, projectId }
}

/** Whether an issue has a system note of an action that refers to this source. */
export async function hasIssueSystemNote(
  q: Queries,
  { source, ...args }: { issueId: number; action: SystemNoteAction; source: SystemNoteSource },
): Promise<boolean> {
  const row = await q.first('system-notes.of-source', { ...args, ...source }, (db, $) =>
    db
      .selectFrom('notes')
      .select('notes.id')
      .where('notes.noteableType', '=', 'issue')
      .where('notes.noteableId', '=', $('issueId'))
      .where('notes.action', '=', $('action'))
      .where('notes.sourceType', '=', $('type'))
      .where('notes.sourceKey', '=', $('key'))
      .where('notes.sourceProjectId', 'is not distinct from', $('projectId'))
      .limit(1),
  )
  return row !== undefined
}

/** Finds those of the items that have this system note with this timestamp, in milliseconds. */
export async function findItemsWithSystemNote(
  q: Queries,
  { note, ...items }: { type: NoteableType; ids: readonly number[]; note: SystemNote; at: number },
): Promise<Set<number>> {
  const args = { ...items, action: note.action, params: systemNoteParams(note) }
  const rows = await q.all('system-notes.written', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.noteableType', '=', $('type'))
      .where(inList('notes.noteableId', $('ids')))
      .where('notes.createdAt', '=', $('at'))
      .where('notes.action', '=', $('action'))
      .where('notes.params', '=', $('params'))
      .select('notes.noteableId'),
  )
  return new Set(rows.flatMap((row) => row.noteableId ?? []))
}
