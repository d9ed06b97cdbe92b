import type { BodyOf, EpicFilter, epicsContract } from '@stithy/core'
import type { WorkItemFilter } from '@stithy/store'
import type { Caller } from '../../platform/http/call.ts'
import type { ItemChange, ItemSettings } from '../items/changes/item-change.ts'
import { commonFilter } from '../items/lists/item-request.ts'

type UpdateBody = BodyOf<typeof epicsContract.update>

/** The settings of a request body, by their internal names. */
export function settingsOf(body: Omit<UpdateBody, 'state_event'>): ItemSettings {
  return {
    title: body.title,
    description: body.description,
    labelNames: body.labels,
    startDateIsFixed: body.start_date_is_fixed,
    startDateFixed: body.start_date_fixed,
    dueDateIsFixed: body.due_date_is_fixed,
    dueDateFixed: body.due_date_fixed,
  }
}

/** The change of an epic that an update asks for. */
export function changeOf(body: UpdateBody): ItemChange {
  return { ...settingsOf(body), stateEvent: body.state_event }
}

/** The filter of a list from the query parameters. */
export function epicFilter(caller: Caller, query: EpicFilter): WorkItemFilter {
  const { state } = query
  return {
    ...commonFilter(caller, query),
    state: state === 'all' ? undefined : state,
  }
}
