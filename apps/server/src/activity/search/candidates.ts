import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { Candidate, CandidateQuery, SearchEngine } from '../search-engine/search-engine.ts'

/** A search of the index by a caller. */
export interface IndexSearch extends Pick<CandidateQuery, 'scope' | 'subject' | 'text'> {
  engine: SearchEngine
  caller: Caller
  signal: AbortSignal
}

const firstLimit = 50
const maxLimit = 1000

/** Lists what may contain a text, in batches that grow; the newest first. */
export async function* candidateBatches(
  app: App,
  { engine, caller, signal, ...search }: IndexSearch,
): AsyncGenerator<Candidate[], void> {
  const read = engine.search({ ...search, caller: caller.facts, today: dayOf(app.now()) })
  const { maxCandidates } = app.config.codeLimits.search
  let seen = 0
  for (let limit = firstLimit; seen < maxCandidates; limit = Math.min(2 * limit, maxLimit)) {
    signal.throwIfAborted()
    const { candidates, isLast } = await read(limit)
    yield candidates
    if (isLast) return
    seen += limit
  }
}
