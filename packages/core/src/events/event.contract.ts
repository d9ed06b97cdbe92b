import { z } from 'zod'
import { date } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { oneOf, optional } from '../contract/fields.ts'
import { ActivityEvent, eventActions, eventTargetTypes } from './event.schema.ts'

const EventFilter = z.object({
  ...optional({
    action: oneOf(eventActions),
    target_type: oneOf(eventTargetTypes),
    before: date(),
    after: date(),
  }),
  sort: oneOf(['asc', 'desc']).default('desc'),
})

const list = {
  method: 'GET',
  query: EventFilter,
  paginated: true,
  response: { 200: z.array(ActivityEvent) },
} as const

/** Document 3, Activity events. */
export const eventsContract = {
  current: endpoint({
    ...list,
    path: '/events',
    auth: { scope: ['api', 'read_user'] },
    docs: { summary: 'List what the current user did', tag: 'Events' },
  }),
  ofUser: endpoint({
    ...list,
    path: '/users/:id/events',
    auth: { scope: ['api', 'read_user'] },
    errors: ['not_found'],
    docs: {
      summary: 'List what a user did, as far as the caller may see it',
      tag: 'Events',
      description: '`id` is the ID or the username.',
    },
  }),
  ofProject: endpoint({
    ...list,
    path: '/projects/:project_id/events',
    subjectParam: 'project_id',
    auth: { on: 'project', ability: 'read_events', scope: ['api', 'read_user'] },
    docs: { summary: 'List what was done in a project', tag: 'Events' },
  }),
}
