import { setTimeout as delay } from 'node:timers/promises'
import { countCommits, type HistoryQuery, rememberedCount } from '@stithy/git'
import { findCountedCommits, type PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import { type RepositoryPlace, repositoryOf } from '../repositories/repository.service.ts'

/** What must be known of a project to count its commits. */
export interface CountedPlace extends RepositoryPlace {
  id: number
}

/** Milliseconds that a page waits for a count that is not known; it goes on for the next page. */
const patience = 250

/** The commits of a history: what is new since they were last counted for the project, and the rest. */
export function countHistory(
  app: App,
  place: CountedPlace,
  history: HistoryQuery,
): Promise<number> {
  const kept = () => findCountedCommits(app.db, place.id)
  return countCommits(app.git, repositoryOf(app, place), history, kept)
}

/**
 * How many commits the list has of which a page is known. A page that is not full tells it; where counting
 * takes longer than a page may, it is the least that it can be, so that a client goes on.
 */
export async function totalAround(
  app: App,
  place: CountedPlace,
  history: HistoryQuery,
  { page, perPage, found }: PageRequest & { found: number },
): Promise<number> {
  const skipped = (page - 1) * perPage
  if (found > 0 ? found < perPage : skipped === 0) return skipped + found
  const remembered = await rememberedCount(app.git, repositoryOf(app, place), history)
  if (remembered !== undefined) return remembered
  const counting = countHistory(app, place, history)
  // Nothing was found so far behind: only the count says where the list ends.
  if (found === 0) return counting
  const waiting = new AbortController()
  const known = await Promise.race([
    counting.catch((error: unknown) => {
      app.log.warn({ err: error, projectId: place.id }, 'commits could not be counted')
      return undefined
    }),
    delay(patience, undefined, { signal: waiting.signal }).catch(() => undefined),
  ])
  waiting.abort()
  return known ?? skipped + found + 1
}
