import {
  type epicLabelEventsContract,
  type issueLabelEventsContract,
  type LabelEvent,
  type mergeRequestLabelEventsContract,
  notFound,
} from '@stithy/core'
import { findLabelEvent, listLabelEvents, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import { requireEpic } from '../epics/epic-found.ts'
import type { Handlers } from '../http/call.ts'
import { requireIssue } from '../issues/issue-found.ts'
import type { EpicItem, WorkItem } from '../items/item.ts'
import { requireMergeRequest } from '../merge-requests/merge-request-found.ts'
import { userRefs } from '../users/user-views.service.ts'
import { presentLabelEvents } from './label-event.presenter.ts'

type Labelled = WorkItem | EpicItem

/** Three queries: the events, their number, and who made them. */
async function list(app: App, item: Labelled, page: PageRequest): Promise<Page<LabelEvent>> {
  const found = await listLabelEvents(app.db, { type: item.type, id: item.row.id }, page)
  const users = await userRefs(
    app,
    found.items.map((event) => event.userId),
  )
  return { ...found, items: presentLabelEvents(found.items, users) }
}

async function show(app: App, item: Labelled, eventId: number): Promise<LabelEvent> {
  const row = await findLabelEvent(app.db, { type: item.type, id: item.row.id, eventId })
  if (row === undefined) throw notFound('ResourceLabelEvent')
  const [event] = presentLabelEvents([row], await userRefs(app, [row.userId]))
  if (event === undefined) throw notFound('ResourceLabelEvent')
  return event
}

export const issueLabelEventHandlers: Handlers<typeof issueLabelEventsContract> = {
  async list({ app, caller, subject, params, page }) {
    return list(app, await requireIssue(app, caller, subject, params.issue_iid), page)
  },
  async show({ app, caller, subject, params }) {
    const item = await requireIssue(app, caller, subject, params.issue_iid)
    return show(app, item, params.resource_label_event_id)
  },
}

export const mergeRequestLabelEventHandlers: Handlers<typeof mergeRequestLabelEventsContract> = {
  async list({ app, caller, subject, params, page }) {
    const { merge_request_iid: iid } = params
    return list(app, await requireMergeRequest(app, caller, subject, iid), page)
  },
  async show({ app, caller, subject, params }) {
    const item = await requireMergeRequest(app, caller, subject, params.merge_request_iid)
    return show(app, item, params.resource_label_event_id)
  },
}

export const epicLabelEventHandlers: Handlers<typeof epicLabelEventsContract> = {
  async list({ app, subject, params, page }) {
    return list(app, await requireEpic(app, subject, params.epic_id), page)
  },
  async show({ app, subject, params }) {
    const item = await requireEpic(app, subject, params.epic_id)
    return show(app, item, params.resource_label_event_id)
  },
}
