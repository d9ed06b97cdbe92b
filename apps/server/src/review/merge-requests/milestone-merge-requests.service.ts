import type { ItemsQuery, MergeRequest } from '@stithy/core'
import { listMilestoneMergeRequests, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { viewMergeRequests } from './merge-request-views.service.ts'

/** The merge requests of a milestone that the caller may see, the newest first. */
export async function listOfMilestone(
  app: App,
  caller: Caller,
  milestoneId: number,
  { max_description_length: maxDescriptionLength }: ItemsQuery,
  page: PageRequest,
): Promise<Page<MergeRequest>> {
  const contents = { milestoneId, caller: caller.facts, today: dayOf(app.now()) }
  const found = await listMilestoneMergeRequests(app.db, contents, page)
  return {
    ...found,
    items: await viewMergeRequests(app, caller, found.items, { maxDescriptionLength }),
  }
}
