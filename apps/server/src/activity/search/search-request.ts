import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'

/** A search of one scope, which the caller may read. */
export interface SearchRequest<Subject = undefined> {
  app: App
  caller: Caller
  /** The group or project that is searched; undefined for the whole instance. */
  subject: Subject
  query: {
    search: string
    ref?: string | undefined
    max_description_length?: number | undefined
    max_body_length?: number | undefined
  }
  page: PageRequest
  /** Aborts when the client disconnects. */
  signal: () => AbortSignal
}

/** Finds a page of what the caller may read in one scope. */
export type Search<Subject, Found> = (request: SearchRequest<Subject>) => Promise<Page<Found>>

/** What the queries of texts take. */
export function textSearch({ app, caller, query }: SearchRequest<unknown>) {
  return { search: query.search, caller: caller.facts, today: dayOf(app.now()) }
}
