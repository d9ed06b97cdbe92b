import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { integer } from '../contract/fields.ts'
import { LabelEvent } from '../labels/label.schema.ts'

const tag = 'Label events'
const event = { resource_label_event_id: integer() }

/** Document 3, Resource label events; catalogue: planning, 10. */
export const issueLabelEventsContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid/resource_label_events',
    params: z.object({ issue_iid: integer() }),
    paginated: true,
    response: { 200: z.array(LabelEvent) },
    auth: { on: 'project', ability: 'read_issues' },
    errors: ['not_found'],
    docs: { summary: 'List the labels that an issue got and lost, oldest first', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid/resource_label_events/:resource_label_event_id',
    params: z.object({ issue_iid: integer(), ...event }),
    response: { 200: LabelEvent },
    auth: { on: 'project', ability: 'read_issues' },
    errors: ['not_found'],
    docs: { summary: 'Show a label that an issue got or lost', tag },
  }),
}

/** Who may read the request itself may, so being able to read the project is where it begins. */
export const mergeRequestLabelEventsContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/merge_requests/:merge_request_iid/resource_label_events',
    params: z.object({ merge_request_iid: integer() }),
    paginated: true,
    response: { 200: z.array(LabelEvent) },
    auth: { on: 'project', ability: 'read_project' },
    errors: ['not_found'],
    docs: { summary: 'List the labels that a merge request got and lost, oldest first', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/merge_requests/:merge_request_iid/resource_label_events/:resource_label_event_id',
    params: z.object({ merge_request_iid: integer(), ...event }),
    response: { 200: LabelEvent },
    auth: { on: 'project', ability: 'read_project' },
    errors: ['not_found'],
    docs: { summary: 'Show a label that a merge request got or lost', tag },
  }),
}

/** `epic_id` is the global id, or the number of an epic in the group (decisions: path ids of epics). */
export const epicLabelEventsContract = {
  list: endpoint({
    method: 'GET',
    path: '/groups/:id/epics/:epic_id/resource_label_events',
    params: z.object({ epic_id: integer() }),
    paginated: true,
    response: { 200: z.array(LabelEvent) },
    auth: { on: 'group', ability: 'read_epics' },
    tier: 'premium',
    errors: ['not_found'],
    docs: { summary: 'List the labels that an epic got and lost, oldest first', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/groups/:id/epics/:epic_id/resource_label_events/:resource_label_event_id',
    params: z.object({ epic_id: integer(), ...event }),
    response: { 200: LabelEvent },
    auth: { on: 'group', ability: 'read_epics' },
    tier: 'premium',
    errors: ['not_found'],
    docs: { summary: 'Show a label that an epic got or lost', tag },
  }),
}
