import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A suggestion in a note. */
export type SuggestionRow = Row<'suggestions'>

/** A suggestion to store; they are kept in their order. */
export type NewSuggestion = Pick<
  SuggestionRow,
  'linesAbove' | 'linesBelow' | 'fromContent' | 'toContent' | 'outdated'
>

/** A suggestion with the position of its note. */
export interface PositionedSuggestion extends SuggestionRow {
  /** The id of the merge request. */
  noteableId: number | null
  /** A `StoredPosition`, in JSON. */
  position: string | null
}

/** Replaces the suggestions of a note. */
export async function replaceSuggestions(
  tx: Transaction,
  args: { noteId: number },
  suggestions: readonly NewSuggestion[],
): Promise<void> {
  await tx.run('suggestions.delete', args, (db, $) =>
    db.deleteFrom('suggestions').where('noteId', '=', $('noteId')),
  )
  await insertSuggestions(tx, args, suggestions)
}

/** Adds the suggestions of a new note. */
export async function insertSuggestions(
  tx: Transaction,
  { noteId }: { noteId: number },
  suggestions: readonly NewSuggestion[],
): Promise<void> {
  for (const [relativeOrder, suggestion] of suggestions.entries()) {
    const row = { noteId, relativeOrder, ...suggestion }
    const names = Object.keys(row).toSorted() as (keyof typeof row)[]
    await tx.run('suggestions.insert', row, (db, $) =>
      db.insertInto('suggestions').values(pick($, names)),
    )
  }
}

/** Lists the suggestions of notes, those of each note in their order. */
export function listSuggestions(q: Queries, noteIds: readonly number[]): Promise<SuggestionRow[]> {
  return q.all('suggestions.of-notes', { noteIds: [...noteIds] }, (db, $) =>
    db
      .selectFrom('suggestions')
      .where(inList('suggestions.noteId', $('noteIds')))
      .orderBy('noteId')
      .orderBy('relativeOrder')
      .selectAll(),
  )
}

/** Finds a suggestion by its id. */
export function findSuggestion(
  q: Queries,
  args: { id: number },
): Promise<PositionedSuggestion | undefined> {
  return q.first('suggestions.find', args, (db, $) =>
    db
      .selectFrom('suggestions')
      .innerJoin('notes', 'notes.id', 'suggestions.noteId')
      .where('suggestions.id', '=', $('id'))
      .selectAll('suggestions')
      .select(['notes.noteableId', 'notes.position']),
  )
}

/**
 * Lists up to `limit` suggestions of a merge request, after the one with the id `after`, that are
 * neither applied nor outdated.
 */
export function listOpenSuggestions(
  q: Queries,
  args: { mergeRequestId: number; after: number; limit: number },
): Promise<PositionedSuggestion[]> {
  return q.all('suggestions.open', args, (db, $) =>
    db
      .selectFrom('notes')
      .innerJoin('suggestions', 'suggestions.noteId', 'notes.id')
      .where('notes.noteableType', '=', 'merge_request')
      .where('notes.noteableId', '=', $('mergeRequestId'))
      .where('notes.position', 'is not', null)
      .where('suggestions.outdated', '=', 0)
      .where('suggestions.commitId', 'is', null)
      .where('suggestions.id', '>', $('after'))
      .orderBy('suggestions.id')
      .limit($('limit'))
      .selectAll('suggestions')
      .select(['notes.noteableId', 'notes.position']),
  )
}

/** Marks suggestions as outdated: their lines were changed. */
export async function markSuggestionsOutdated(
  tx: Transaction,
  args: { ids: readonly number[] },
): Promise<void> {
  await tx.run('suggestions.outdate', { ids: [...args.ids] }, (db, $) =>
    db
      .updateTable('suggestions')
      .set({ outdated: 1 })
      .where(inList('suggestions.id', $('ids'))),
  )
}

/** Records the commit that applied a suggestion. */
export async function markSuggestionApplied(
  tx: Transaction,
  args: { id: number; commitId: string },
): Promise<void> {
  await tx.run('suggestions.apply', args, (db, $) =>
    db
      .updateTable('suggestions')
      .set({ commitId: $('commitId') })
      .where('id', '=', $('id')),
  )
}
