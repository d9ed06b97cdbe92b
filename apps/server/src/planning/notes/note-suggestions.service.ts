import { parseSuggestions, type Suggestion, takesSuggestions } from '@stithy/core'
import {
  type ListedNoteRow,
  listSuggestions,
  type NewSuggestion,
  type StoredNotePosition,
  type StoredPosition,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Item } from '../items/item.ts'
import { presentSuggestion } from '../suggestions/suggestion.presenter.ts'
import { placeOf, planSuggestions } from '../suggestions/suggestion-plan.service.ts'
import { storedPosition } from './stored-position.ts'

/** Suggestions of a note, read at the head of a version. */
export interface PlannedSuggestions {
  headSha: string
  suggestions: NewSuggestion[]
}

const none: PlannedSuggestions = { headSha: '', suggestions: [] }

/**
 * The suggestions in the text of a note on the diff of an open merge request.
 * @param findPosition called only if the text suggests anything
 */
export async function planNoteSuggestions(
  app: App,
  item: Item,
  body: string,
  findPosition: () => Promise<StoredNotePosition | undefined>,
): Promise<PlannedSuggestions> {
  if (item.type !== 'merge_request' || item.row.state !== 'opened') return none
  if (!suggests(body)) return none
  const place = placeOf((await findPosition())?.position)
  if (place === undefined) return none
  const suggestions = await planSuggestions(app, item.project.row, place, body)
  return { headSha: place.head_sha, suggestions }
}

/**
 * The suggestions to store with a note at a position. Those read in another version than that of
 * the position are outdated: nobody compared their lines.
 */
export function suggestionsAt(
  { headSha, suggestions }: PlannedSuggestions,
  position: StoredPosition | undefined,
): NewSuggestion[] {
  if (position?.head_sha === headSha) return suggestions
  return suggestions.map((suggestion) => ({ ...suggestion, outdated: 1 }))
}

/** Whether suggestions may be stored with a note. */
export function hasSuggestions(note: ListedNoteRow): boolean {
  if (!takesSuggestions({ ...note, system: note.system === 1 })) return false
  // A long text that a list has left out is not read for that.
  return note.body === null || suggests(note.body)
}

function suggests(body: string): boolean {
  return parseSuggestions(body).length > 0
}

/** The suggestions of those notes that have any, by note id. One query, and none without any. */
export async function viewSuggestions(
  app: App,
  item: Item,
  rows: readonly ListedNoteRow[],
): Promise<ReadonlyMap<number, Suggestion[]>> {
  const notes = rows.filter(hasSuggestions)
  if (notes.length === 0) return new Map()
  const isOpen = item.type === 'merge_request' && item.row.state === 'opened'
  const suggestions = await listSuggestions(
    app.db,
    notes.map(({ id }) => id),
  )
  const byNote = Map.groupBy(suggestions, ({ noteId }) => noteId)
  return new Map(
    notes.map((note) => {
      const line = lineOf(note)
      const found = byNote.get(note.id) ?? []
      return [note.id, found.map((row) => presentSuggestion(row, { line, isOpen }))]
    }),
  )
}

/** Suggestions are on lines of the new version only. */
function lineOf(note: ListedNoteRow): number {
  const position = storedPosition(note)?.position
  return position?.position_type === 'text' ? (position.new_line ?? 0) : 0
}
