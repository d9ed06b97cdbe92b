import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, filledText, integer, optional, text } from '../contract/fields.ts'
import { ProjectHook } from './webhook.schema.ts'

const tag = 'Project hooks'
const one = z.object({ hook_id: integer({ min: 1 }) })
const auth = { on: 'project', ability: 'admin_hooks' } as const

const body = z.object({
  url: filledText(),
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
    push_events_branch_filter: text(),
    enable_ssl_verification: boolean(),
    token: text(),
  }),
})

/** Catalogue: projects, Project hooks. */
export const projectHooksContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks',
    paginated: true,
    response: { 200: z.array(ProjectHook) },
    auth,
    docs: { summary: 'List the hooks of a project', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks/:hook_id',
    params: one,
    response: { 200: ProjectHook },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show a hook of a project', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/hooks',
    body,
    response: { 201: ProjectHook },
    auth,
    errors: ['unprocessable', 'validation_failed'],
    docs: {
      summary: 'Add a hook to a project',
      tag,
      description:
        'Pushes are sent unless `push_events` is false, everything else where it is asked for.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/hooks/:hook_id',
    params: one,
    body,
    response: { 200: ProjectHook },
    auth,
    errors: ['not_found', 'unprocessable', 'validation_failed'],
    docs: { summary: 'Change a hook of a project', tag },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/hooks/:hook_id',
    params: one,
    response: { 204: null },
    auth,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Remove a hook of a project', tag },
  }),
}
