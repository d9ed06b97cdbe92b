import { z } from 'zod'
import { date } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { oneOf, optional } from '../../platform/contract/fields.ts'
import { listedBodies } from '../../platform/contract/listed-bodies.ts'
import { ActivityEvent, eventActions, eventTargetTypes } from './event.schema.ts'

const EventFilter = z.object({
  ...optional({
    action: oneOf(eventActions),
    target_type: oneOf(eventTargetTypes),
    before: date(),
    after: date(),
  }),
  sort: oneOf(['asc', 'desc']).default('desc'),
  ...optional(listedBodies),
})

const list = {
  method: 'GET',
  query: EventFilter,
  paginated: true,
  response: { 200: z.array(ActivityEvent) },
} as const

/** Activity events. */
export const eventsContract = {
  current: endpoint({
    name: 'events.list',
    ...list,
    path: '/events',
    auth: { scope: ['api', 'read_user'] },
    docs: { summary: 'List events of the current user' },
  }),
  ofUser: endpoint({
    name: 'events.list',
    ...list,
    path: '/users/:id/events',
    auth: { scope: ['api', 'read_user'] },
    errors: ['not_found'],
    docs: {
      summary: 'List events of a user',
      description:
        'The user is given by ID or username. Only events that the caller can see are listed.',
    },
  }),
  ofProject: endpoint({
    name: 'events.list',
    ...list,
    path: '/projects/:project_id/events',
    subjectParam: 'project_id',
    auth: { on: 'project', ability: 'read_events', scope: ['api', 'read_user'] },
    docs: { summary: 'List events of a project' },
  }),
  ofGroup: endpoint({
    name: 'events.list',
    ...list,
    path: '/groups/:id/events',
    auth: { on: 'group', ability: 'read_group', scope: ['api', 'read_user'] },
    docs: {
      summary: 'List events of a group',
      description:
        'Extension. Events of the projects in the group and its subgroups, as far as the caller ' +
        'can see them. They are not counted: `Link` and `X-Next-Page` say whether there are more.',
    },
  }),
}
