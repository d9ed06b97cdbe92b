import {
  type epicLabelEventsContract,
  type issueLabelEventsContract,
  type LabelEvent,
  type mergeRequestLabelEventsContract,
  notFound,
} from '@stithy/core'
import { findLabelEvent, listLabelEvents, type Page } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { Call, CallOn, Handlers } from '../../platform/http/call.ts'
import type { EpicItem, WorkItem } from '../items/item.ts'
import { presentLabelEvents } from './label-event.presenter.ts'

type LabelledCall<Parts extends keyof Call = never> = CallOn<WorkItem | EpicItem, Parts>

interface Period {
  created_after?: number | undefined
  created_before?: number | undefined
}

/** The handlers of label events, shared by all types of items. */
const labelEventHandlers = {
  /** Three queries: the events, their total and their users. */
  async list(call: LabelledCall<'page'> & { query: Period }): Promise<Page<LabelEvent>> {
    const { app, subject, page, query } = call
    const { type, row } = subject
    const period = { after: query.created_after, before: query.created_before }
    const found = await listLabelEvents(app.db, { type, id: row.id, ...period }, page)
    const users = await userRefs(
      app,
      found.items.map((event) => event.userId),
    )
    return { ...found, items: presentLabelEvents(found.items, users) }
  },

  async show(
    call: LabelledCall & { params: { resource_label_event_id: number } },
  ): Promise<LabelEvent> {
    const { app, subject, params } = call
    const { resource_label_event_id: eventId } = params
    const target = { type: subject.type, id: subject.row.id }
    const row = await findLabelEvent(app.db, { ...target, eventId })
    if (row === undefined) throw notFound('ResourceLabelEvent')
    const [event] = presentLabelEvents([row], await userRefs(app, [row.userId]))
    if (event === undefined) throw notFound('ResourceLabelEvent')
    return event
  },
}

export const issueLabelEventHandlers: Handlers<typeof issueLabelEventsContract> = labelEventHandlers
export const mergeRequestLabelEventHandlers: Handlers<typeof mergeRequestLabelEventsContract> =
  labelEventHandlers
export const epicLabelEventHandlers: Handlers<typeof epicLabelEventsContract> = labelEventHandlers
