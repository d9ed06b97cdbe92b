import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, nonEmptyText, optional, text } from '../../platform/contract/fields.ts'
import { webUrlText } from '../../platform/contract/text-options.ts'
import { maxBranchFilterLength, maxHookTokenLength } from './webhook.rules.ts'
import { ProjectHook } from './webhook.schema.ts'

const one = z.object({ hook_id: integer({ min: 1 }) })
const auth = { on: 'project', ability: 'admin_hooks' } as const

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
    push_events_branch_filter: text({ rules: { maxLength: maxBranchFilterLength } }),
    enable_ssl_verification: boolean(),
    token: text({ rules: { maxLength: maxHookTokenLength } }),
  }),
})

/** Webhooks of projects. */
export const projectHooksContract = {
  list: endpoint({
    name: 'projects.hooks.list',
    method: 'GET',
    path: '/projects/:id/hooks',
    paginated: true,
    response: { 200: z.array(ProjectHook) },
    auth,
    docs: { summary: 'List webhooks of a project' },
  }),
  show: endpoint({
    name: 'projects.hooks.show',
    method: 'GET',
    path: '/projects/:id/hooks/:hook_id',
    params: one,
    response: { 200: ProjectHook },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show a webhook of a project' },
  }),
  create: endpoint({
    name: 'projects.hooks.create',
    method: 'POST',
    path: '/projects/:id/hooks',
    body,
    response: { 201: ProjectHook },
    auth,
    errors: ['unprocessable', 'validation_failed'],
    docs: {
      summary: 'Create a webhook for a project',
      description:
        'Push events are sent unless `push_events` is false. All other events are off by ' +
        'default.',
    },
  }),
  update: endpoint({
    name: 'projects.hooks.update',
    method: 'PUT',
    path: '/projects/:id/hooks/:hook_id',
    params: one,
    body,
    response: { 200: ProjectHook },
    auth,
    errors: ['not_found', 'unprocessable', 'validation_failed'],
    docs: { summary: 'Update a webhook of a project' },
  }),
  remove: endpoint({
    name: 'projects.hooks.delete',
    method: 'DELETE',
    path: '/projects/:id/hooks/:hook_id',
    params: one,
    response: { 204: null },
    auth,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a webhook of a project' },
  }),
}
