import { z } from 'zod'
import { type AuthOn, endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  integer,
  nonEmptyText,
  oneOf,
  optional,
  text,
} from '../../platform/contract/fields.ts'
import { optionalRefPatternText } from '../../platform/contract/ref-names.ts'
import { webUrlText } from '../../platform/contract/text-options.ts'
import { hookTokenText } from './webhook.rules.ts'
import { GroupHook, HookEvent, ProjectHook, webhookTriggers } from './webhook.schema.ts'

const one = z.object({ hook_id: integer({ min: 1 }) })

const body = z.object({
  url: nonEmptyText(webUrlText),
  ...optional({
    push_events: boolean(),
    tag_push_events: boolean(),
    issues_events: boolean(),
    confidential_issues_events: boolean(),
    merge_requests_events: boolean(),
    note_events: boolean(),
    confidential_note_events: boolean(),
    job_events: boolean(),
    pipeline_events: boolean(),
    wiki_page_events: boolean(),
    push_events_branch_filter: text(optionalRefPatternText),
    enable_ssl_verification: boolean(),
    token: text(hookTokenText),
  }),
})

/** The parent of hooks, how they look there, and who manages them. */
interface HookParent<Path extends string, Hook extends z.ZodType, Admin extends AuthOn> {
  path: Path
  hook: Hook
  auth: Admin
  a: string
}

function hookEndpoints<
  const Path extends string,
  Hook extends z.ZodType,
  const Admin extends AuthOn,
>(parent: HookParent<Path, Hook, Admin>) {
  return { ...readEndpoints(parent), ...writeEndpoints(parent), ...logEndpoints(parent) }
}

function readEndpoints<
  const Path extends string,
  Hook extends z.ZodType,
  const Admin extends AuthOn,
>({ path, hook, auth, a }: HookParent<Path, Hook, Admin>) {
  return {
    list: endpoint({
      name: 'hooks.list',
      method: 'GET',
      path,
      paginated: true,
      response: { 200: z.array(hook) },
      auth,
      docs: { summary: `List webhooks of ${a}` },
    }),
    show: endpoint({
      name: 'hooks.show',
      method: 'GET',
      path: `${path}/:hook_id` as const,
      params: one,
      response: { 200: hook },
      auth,
      errors: ['not_found'],
      docs: { summary: `Show a webhook of ${a}` },
    }),
  }
}

function writeEndpoints<
  const Path extends string,
  Hook extends z.ZodType,
  const Admin extends AuthOn,
>({ path, hook, auth, a }: HookParent<Path, Hook, Admin>) {
  const onePath = `${path}/:hook_id` as const
  return {
    create: endpoint({
      name: 'hooks.create',
      method: 'POST',
      path,
      body,
      response: { 201: hook },
      auth,
      errors: ['unprocessable', 'validation_failed'],
      docs: {
        summary: `Create a webhook for ${a}`,
        description:
          'Push events are sent unless `push_events` is false. All other events are off by ' +
          'default.',
      },
    }),
    update: endpoint({
      name: 'hooks.update',
      method: 'PUT',
      path: onePath,
      params: one,
      body,
      response: { 200: hook },
      auth,
      errors: ['not_found', 'unprocessable', 'validation_failed'],
      docs: {
        summary: `Update a webhook of ${a}`,
        description: 'Enables a webhook that was disabled because its deliveries failed.',
      },
    }),
    remove: endpoint({
      name: 'hooks.delete',
      method: 'DELETE',
      path: onePath,
      params: one,
      response: { 204: null },
      auth,
      errors: ['not_found', 'precondition_failed'],
      docs: { summary: `Delete a webhook of ${a}` },
    }),
  }
}

function logEndpoints<
  const Path extends string,
  Hook extends z.ZodType,
  const Admin extends AuthOn,
>({ path, auth, a }: HookParent<Path, Hook, Admin>) {
  return {
    test: endpoint({
      name: 'hooks.test',
      method: 'POST',
      path: `${path}/:hook_id/test/:trigger` as const,
      params: z.object({ hook_id: integer({ min: 1 }), trigger: oneOf(webhookTriggers) }),
      response: { 201: HookEvent },
      auth,
      errors: ['not_found', 'unprocessable'],
      docs: {
        summary: `Test a webhook of ${a}`,
        description:
          'Sends an event made of the newest data there is, whether the webhook subscribes to it ' +
          'or not, and returns what was sent and received. A success enables a disabled webhook.',
      },
    }),
    listEvents: endpoint({
      name: 'hooks.events.list',
      method: 'GET',
      path: `${path}/:hook_id/events` as const,
      params: one,
      paginated: true,
      response: { 200: z.array(HookEvent) },
      auth,
      errors: ['not_found'],
      docs: {
        summary: `List deliveries of a webhook of ${a}`,
        description: 'The newest first; they are kept for 30 days.',
      },
    }),
  }
}

/** Webhooks of projects. */
export const projectHooksContract = hookEndpoints({
  path: '/projects/:id/hooks',
  hook: ProjectHook,
  auth: { on: 'project', ability: 'admin_hooks' },
  a: 'a project',
})

/** Webhooks of groups, for the events of all projects in them and in their subgroups. */
export const groupHooksContract = hookEndpoints({
  path: '/groups/:id/hooks',
  hook: GroupHook,
  auth: { on: 'group', ability: 'admin_group_hooks' },
  a: 'a group',
})
