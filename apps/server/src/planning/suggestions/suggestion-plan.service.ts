import { linesOf, maxReplacedLength, parseSuggestions, suggestedRange } from '@stithy/core'
import { isLimit, readBlob } from '@stithy/git'
import type { NewSuggestion, StoredPosition } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import {
  type RepositoryLocation,
  repositoryOf,
} from '../../platform/repositories/repository-location.ts'

/** The largest file, in bytes, whose lines a suggestion can replace. */
const maxFileBytes = 1024 * 1024
const symbolicLink = '120000'

/** Where suggestions are: a file, and the line that their note is on. */
export type SuggestedPlace = Pick<StoredPosition, 'head_sha' | 'new_path'> & { line: number }

/**
 * Where the suggestions of a note with this position are. Undefined in images, on removed lines,
 * and where a later version changed the line.
 */
export function placeOf(position: StoredPosition | undefined): SuggestedPlace | undefined {
  if (position?.position_type !== 'text' || position.outdated) return undefined
  const { head_sha, new_path, new_line: line } = position
  return line === null ? undefined : { head_sha, new_path, line }
}

/**
 * The suggestions in the text of a note, with the lines that they replace; none in a file that is
 * too large, or no text.
 */
export async function planSuggestions(
  app: App,
  location: RepositoryLocation,
  place: SuggestedPlace | undefined,
  body: string,
): Promise<NewSuggestion[]> {
  const changes = place === undefined ? [] : parseSuggestions(body)
  if (place === undefined || changes.length === 0) return []
  const text = await readText(app, location, place.head_sha, place.new_path)
  if (text === undefined) return []
  const planned = changes.map(({ content, ...lines }): NewSuggestion => {
    const fromContent = linesOf(text, suggestedRange(place.line, lines))
    return { ...lines, fromContent, toContent: content, outdated: 0 }
  })
  return planned.filter(({ fromContent }) => fromContent.length <= maxReplacedLength)
}

/**
 * Reads a file of UTF-8 text; undefined if there is none, it is a symbolic link, or it is too
 * large.
 */
export async function readText(
  app: App,
  location: RepositoryLocation,
  commitId: string,
  path: string,
): Promise<string | undefined> {
  try {
    const file = await readBlob(app.git, repositoryOf(app, location), commitId, path)
    if (file === undefined || file.mode === symbolicLink) return undefined
    if (file.size > maxFileBytes) return undefined
    // A byte order mark is kept: the file is written again.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.content)
  } catch (error) {
    if (error instanceof TypeError || isLimit(error)) return undefined
    throw error
  }
}
