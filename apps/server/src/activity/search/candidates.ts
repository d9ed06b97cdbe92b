import { type CandidateRequest, type CandidateRow, listCandidates } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'

/** A search of the index by a caller. */
export interface IndexSearch extends Pick<CandidateRequest, 'scope' | 'subject' | 'text'> {
  caller: Caller
  signal: AbortSignal
}

const firstLimit = 50
const maxLimit = 1000

/** Lists what may contain a text, in batches that grow; the newest first. */
export async function* candidateBatches(
  app: App,
  { caller, signal, ...search }: IndexSearch,
): AsyncGenerator<CandidateRow[], void> {
  const request = { ...search, caller: caller.facts, today: dayOf(app.now()) }
  const { maxCandidates } = app.config.codeLimits.search
  let before: number | undefined
  let seen = 0
  for (let limit = firstLimit; seen < maxCandidates; limit = Math.min(2 * limit, maxLimit)) {
    signal.throwIfAborted()
    const rows = await listCandidates(app.db, { ...request, before, limit })
    yield rows
    if (rows.length < limit) return
    before = rows.at(-1)?.id
    seen += rows.length
  }
}
