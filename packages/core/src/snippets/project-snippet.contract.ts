import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { integer, optional, text } from '../contract/fields.ts'
import { contentNote, snippetFields } from './snippet.contract.ts'
import { Snippet } from './snippet.schema.ts'

const tag = 'Snippets'
const one = z.object({ snippet_id: integer() })
const auth = { on: 'project', ability: 'read_snippets' } as const

/** Snippets of projects (catalogue: planning, 6). */
export const projectSnippetsContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/snippets',
    paginated: true,
    response: { 200: z.array(Snippet) },
    auth,
    docs: { summary: 'List the snippets of a project, the newest first', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/snippets/:snippet_id',
    params: one,
    response: { 200: Snippet },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show a snippet of a project', tag },
  }),
  raw: endpoint({
    method: 'GET',
    path: '/projects/:id/snippets/:snippet_id/raw',
    params: one,
    kind: 'raw',
    response: { 200: null },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show the content of a snippet of a project', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/snippets',
    body: z.object({ title: text(), file_name: text(), ...snippetFields }),
    response: { 201: Snippet },
    auth: { on: 'project', ability: 'create_snippets' },
    errors: ['validation_failed'],
    docs: { summary: 'Create a snippet in a project', tag, description: contentNote },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/snippets/:snippet_id',
    params: one,
    body: z.object({ ...optional({ title: text(), file_name: text() }), ...snippetFields }),
    response: { 200: Snippet },
    auth,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Change a snippet of a project', tag, description: contentNote },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/snippets/:snippet_id',
    params: one,
    response: { 204: null },
    auth,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a snippet of a project', tag },
  }),
}
