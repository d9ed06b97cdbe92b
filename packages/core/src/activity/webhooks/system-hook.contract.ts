import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  integer,
  nonEmptyText,
  oneOf,
  optional,
  text,
} from '../../platform/contract/fields.ts'
import { webUrlText } from '../../platform/contract/text-options.ts'
import { hookTokenText } from './webhook.rules.ts'
import { HookEvent, ProjectCreateEvent, SystemHook, systemHookTriggers } from './webhook.schema.ts'

const one = z.object({ hook_id: integer({ min: 1 }) })
const auth = { on: 'instance', ability: 'administer' } as const

/** Hooks of the instance: changes of projects, groups, users, keys and members. */
export const systemHooksContract = {
  list: endpoint({
    name: 'systemHooks.list',
    method: 'GET',
    path: '/hooks',
    paginated: true,
    response: { 200: z.array(SystemHook) },
    auth,
    docs: { summary: 'List system hooks' },
  }),
  create: endpoint({
    name: 'systemHooks.create',
    method: 'POST',
    path: '/hooks',
    body: z.object({
      url: nonEmptyText(webUrlText),
      ...optional({
        token: text(hookTokenText),
        push_events: boolean(),
        tag_push_events: boolean(),
        merge_requests_events: boolean(),
        repository_update_events: boolean(),
        enable_ssl_verification: boolean(),
      }),
    }),
    response: { 201: SystemHook },
    auth,
    errors: ['validation_failed'],
    docs: {
      summary: 'Create a system hook',
      description:
        'Changes of projects, groups, users, keys and members are always sent, updates of ' +
        'repositories unless `repository_update_events` is false, all others on request.',
    },
  }),
  show: endpoint({
    name: 'systemHooks.show',
    method: 'GET',
    path: '/hooks/:hook_id',
    params: one,
    response: { 200: ProjectCreateEvent },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Send a sample event to a system hook',
      description: 'Returns the event, not the hook.',
    },
  }),
  sample: endpoint({
    name: 'systemHooks.show',
    legacy: true,
    method: 'POST',
    path: '/hooks/:hook_id',
    params: one,
    response: { 201: ProjectCreateEvent },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Send a sample event to a system hook' },
  }),
  remove: endpoint({
    name: 'systemHooks.delete',
    method: 'DELETE',
    path: '/hooks/:hook_id',
    params: one,
    response: { 204: null },
    auth,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a system hook' },
  }),
  test: endpoint({
    name: 'systemHooks.test',
    method: 'POST',
    path: '/hooks/:hook_id/test/:trigger',
    params: z.object({ hook_id: integer({ min: 1 }), trigger: oneOf(systemHookTriggers) }),
    response: { 201: HookEvent },
    auth,
    errors: ['not_found', 'unprocessable'],
    docs: {
      summary: 'Test a system hook',
      description:
        'Sends an event made of the newest data there is, and returns what was sent and received.',
    },
  }),
  listEvents: endpoint({
    name: 'systemHooks.events.list',
    method: 'GET',
    path: '/hooks/:hook_id/events',
    params: one,
    paginated: true,
    response: { 200: z.array(HookEvent) },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'List deliveries of a system hook',
      description: 'The newest first; they are kept for 30 days.',
    },
  }),
}
