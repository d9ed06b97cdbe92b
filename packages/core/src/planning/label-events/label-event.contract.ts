import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, optional } from '../../platform/contract/fields.ts'
import { LabelEvent } from '../labels/label.schema.ts'

/** Bounds are inclusive. */
const query = z.object(optional({ created_after: dateTime(), created_before: dateTime() }))

const event = { resource_label_event_id: integer() }

const labelsOf =
  'Labels that were added and removed, oldest first. Extension: `created_after` and `created_before`.'

/** Resource label events of issues. */
export const issueLabelEventsContract = {
  list: endpoint({
    name: 'issues.labelEvents.list',
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid/resource_label_events',
    params: z.object({ issue_iid: integer() }),
    query,
    paginated: true,
    response: { 200: z.array(LabelEvent) },
    auth: { on: 'issue', ability: 'read_issue' },
    errors: ['not_found'],
    docs: {
      summary: 'List label events of an issue',
      description: labelsOf,
    },
  }),
  show: endpoint({
    name: 'issues.labelEvents.show',
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid/resource_label_events/:resource_label_event_id',
    params: z.object({ issue_iid: integer(), ...event }),
    response: { 200: LabelEvent },
    auth: { on: 'issue', ability: 'read_issue' },
    errors: ['not_found'],
    docs: { summary: 'Show a label event of an issue' },
  }),
}

export const mergeRequestLabelEventsContract = {
  list: endpoint({
    name: 'mergeRequests.labelEvents.list',
    method: 'GET',
    path: '/projects/:id/merge_requests/:merge_request_iid/resource_label_events',
    params: z.object({ merge_request_iid: integer() }),
    query,
    paginated: true,
    response: { 200: z.array(LabelEvent) },
    auth: { on: 'merge_request', ability: 'read_merge_request' },
    errors: ['not_found'],
    docs: {
      summary: 'List label events of a merge request',
      description: labelsOf,
    },
  }),
  show: endpoint({
    name: 'mergeRequests.labelEvents.show',
    method: 'GET',
    path: '/projects/:id/merge_requests/:merge_request_iid/resource_label_events/:resource_label_event_id',
    params: z.object({ merge_request_iid: integer(), ...event }),
    response: { 200: LabelEvent },
    auth: { on: 'merge_request', ability: 'read_merge_request' },
    errors: ['not_found'],
    docs: { summary: 'Show a label event of a merge request' },
  }),
}

/** `epic_id` is the global id of an epic, or its iid in the group. */
export const epicLabelEventsContract = {
  list: endpoint({
    name: 'epics.labelEvents.list',
    method: 'GET',
    path: '/groups/:id/epics/:epic_id/resource_label_events',
    params: z.object({ epic_id: integer() }),
    query,
    paginated: true,
    response: { 200: z.array(LabelEvent) },
    auth: { on: 'epic', ability: 'read_epic' },
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'List label events of an epic',
      description: labelsOf,
    },
  }),
  show: endpoint({
    name: 'epics.labelEvents.show',
    method: 'GET',
    path: '/groups/:id/epics/:epic_id/resource_label_events/:resource_label_event_id',
    params: z.object({ epic_id: integer(), ...event }),
    response: { 200: LabelEvent },
    auth: { on: 'epic', ability: 'read_epic' },
    tier: 'premium',
    errors: ['not_found'],
    docs: { summary: 'Show a label event of an epic' },
  }),
}
