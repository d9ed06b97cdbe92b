import { linesOf, suggestedRange } from '@stithy/core'
import {
  fromJsonText,
  listOpenSuggestions,
  markSuggestionsOutdated,
  type PositionedSuggestion,
  type StoredPosition,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { RepositoryLocation } from '../../platform/repositories/repository-location.ts'
import { placeOf, readText, type SuggestedPlace } from './suggestion-plan.service.ts'

/** Suggestions whose lines are compared at a time. */
const pageSize = 200

/**
 * Marks the suggestions of a merge request as outdated whose lines are others at the positions of
 * their notes, which must be up to date. May run twice or concurrently.
 */
export async function updateSuggestions(
  app: App,
  location: RepositoryLocation,
  mergeRequestId: number,
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0; ; ) {
    const args = { mergeRequestId, after, limit: pageSize }
    const page = await listOpenSuggestions(app.db, args)
    const ids = await findOutdated(app, location, page, signal)
    if (ids.length > 0) await app.db.transaction((tx) => markSuggestionsOutdated(tx, { ids }))
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}

async function findOutdated(
  app: App,
  location: RepositoryLocation,
  suggestions: readonly PositionedSuggestion[],
  signal: AbortSignal,
): Promise<number[]> {
  const placed = suggestions.map((row) => ({ row, place: placeOfStored(row.position) }))
  const byFile = Map.groupBy(placed, ({ place }) => place && `${place.head_sha} ${place.new_path}`)
  const outdated: number[] = []
  for (const inFile of byFile.values()) {
    signal.throwIfAborted()
    const place = inFile[0]?.place
    const text = place && (await readText(app, location, place.head_sha, place.new_path))
    const changed = inFile.filter(({ row, place: at }) => !hasLines(text, at, row))
    outdated.push(...changed.map(({ row }) => row.id))
  }
  return outdated
}

function placeOfStored(position: string | null): SuggestedPlace | undefined {
  return placeOf(position === null ? undefined : fromJsonText<StoredPosition>(position))
}

/** Whether a file has the lines that a suggestion replaces where its note is. */
export function hasLines(
  text: string | undefined,
  place: SuggestedPlace | undefined,
  row: PositionedSuggestion,
): boolean {
  if (text === undefined || place === undefined) return false
  return linesOf(text, suggestedRange(place.line, row)) === row.fromContent
}
