import { setTimeout as delay } from 'node:timers/promises'
import { cachedCount, countCommits, type HistoryQuery } from '@stithy/git'
import { findCountedCommits, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import {
  type RepositoryLocation,
  repositoryOf,
} from '../../platform/repositories/repository-location.ts'

/** What is needed of a project to count its commits. */
export interface CountedRepository extends RepositoryLocation {
  id: number
}

/** Milliseconds that a page waits for an unknown count; counting goes on for the next page. */
const maxWaitMs = 250

/** Counts the commits of a history, starting from the count that is stored for the project. */
export function countHistory(
  app: App,
  project: CountedRepository,
  history: HistoryQuery,
): Promise<number> {
  const storedCount = () => findCountedCommits(app.db, project.id)
  return countCommits(app.git, repositoryOf(app, project), history, storedCount)
}

/** How many items a list has; if it isn't known yet, as for long lists, there may be more. */
type Total = Pick<Page<unknown>, 'total' | 'hasMore'>

/**
 * The total of a commit list of which one page is known. An incomplete page determines it; if
 * counting takes longer than a page may, the page is answered without it.
 */
export async function totalAround(
  app: App,
  project: CountedRepository,
  history: HistoryQuery,
  { page, perPage, found }: PageRequest & { found: number },
): Promise<Total> {
  const skipped = (page - 1) * perPage
  if (found > 0 ? found < perPage : skipped === 0) return { total: skipped + found }
  const remembered = await cachedCount(app.git, repositoryOf(app, project), history)
  if (remembered !== undefined) return { total: remembered }
  const counting = countHistory(app, project, history)
  // The page is past the end: only counting shows where the list ends.
  if (found === 0) return { total: await counting }
  const waiting = new AbortController()
  const known = await Promise.race([
    counting.catch((error: unknown) => {
      app.log.warn({ err: error, projectId: project.id }, 'commits could not be counted')
      return undefined
    }),
    delay(maxWaitMs, undefined, { signal: waiting.signal }).catch(() => undefined),
  ])
  waiting.abort()
  return known === undefined ? { total: skipped + found + 1, hasMore: true } : { total: known }
}
