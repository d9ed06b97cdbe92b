import type { CallerFacts } from '@stithy/core'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import {
  type ListQuery,
  listPage,
  type Page,
  type PageRequest,
} from '../../platform/queries/page.ts'
import { inBackground, type Param, type Queries } from '../../platform/queries/queries.ts'

/** A search by a caller; `today` is `YYYY-MM-DD`. */
export interface SearchRequest {
  search: string
  caller: CallerFacts
  today: string
}

/** The arguments of a search: its words, those of the viewer and others. */
export type SearchArgs = Record<string, string | number>

/** The arguments of every search include those of the viewer. */
export function viewer($: Param<SearchArgs>): Param<ViewerArgs> {
  return $ as unknown as Param<ViewerArgs>
}

/**
 * Reads one page of the texts that contain the words, and their total, in the background: no index
 * has the words. Two queries.
 */
export function searchPage<DB, TB extends keyof DB, R>(
  q: Queries,
  request: PageRequest,
  list: ListQuery<SearchArgs, DB, TB, R>,
): Promise<Page<R>> {
  // Texts change without a new version of any stamp, so the total is not cached.
  return listPage(inBackground(q), request, { ...list, stamp: undefined })
}
