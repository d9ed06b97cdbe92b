import type { NotePosition } from '@stithy/core'
import type { DiffPlace } from '../../../code/diffs/diff-entry.ts'
import {
  cutBodies,
  type DiscussionPage,
  type ShownDiscussion,
  shorten,
} from '../../../planning/discussions/read-discussions.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { pageNumber } from '../../../platform/pages/page-number.ts'
import { requestParams } from '../request-call.ts'
import type { DiffRefs, ShownDiff } from './shown-diff.ts'

/** Threads on the lines of a page; the others have pages of their own, by this parameter. */
const maxThreads = 100
export const threadsParameter = 'threads'

/**
 * The threads on lines of the files of a page, in the version that is shown; of many, those that were
 * started first, or those of the page of threads that the address asks for. One call.
 */
export async function loadThreads(call: PageCall, diff: ShownDiff): Promise<DiscussionPage> {
  const paths = diff.files.items.map(({ new_path: path }) => path)
  const position = { page: 1, total: 0, totalPages: 1, nextPage: null, prevPage: null }
  if (paths.length === 0) return { position, discussions: [], thread: undefined }
  const found = await call.client.mergeRequests.discussions.list({
    ...requestParams(call),
    paths,
    per_page: maxThreads,
    ...cutBodies,
    ...pageNumber(call.query, threadsParameter),
  })
  const shown = found.items.filter(({ notes }) => isOn(notes[0]?.position, diff.refs))
  return { position: found, discussions: shorten(shown), thread: undefined }
}

/** The positions of threads follow the newest version; outdated ones keep that which they were on. */
function isOn(position: NotePosition | undefined, refs: DiffRefs): boolean {
  return position?.head_sha === refs.head_sha && position.base_sha === refs.base_sha
}

/** Threads by the line that they are on. */
export type LineThreads = ReadonlyMap<string, readonly ShownDiscussion[]>

export function threadsByLine({ discussions }: DiscussionPage): LineThreads {
  return Map.groupBy(discussions, ({ notes }) => {
    const position = notes[0]?.position
    return position?.position_type === 'text'
      ? lineKey(position.new_path, position.old_line, position.new_line)
      : ''
  })
}

/** The threads on a line. */
export function threadsOn(threads: LineThreads, place: DiffPlace): readonly ShownDiscussion[] {
  return threads.get(lineKey(place.newPath, place.oldLine, place.newLine)) ?? []
}

function lineKey(path: string, oldLine: number | null, newLine: number | null): string {
  return `${oldLine ?? ''} ${newLine ?? ''} ${path}`
}
