import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, optional, text } from '../../platform/contract/fields.ts'
import { nameText, shortText } from '../../platform/contract/text-options.ts'
import { contentDescription, contentNeeded, snippetFields } from './snippet.contract.ts'
import { Snippet } from './snippet.schema.ts'

const one = z.object({ snippet_id: integer() })
const read = { on: 'snippet', ability: 'read_snippet' } as const

/** Snippets of projects. */
export const projectSnippetsContract = {
  list: endpoint({
    name: 'snippets.list',
    method: 'GET',
    path: '/projects/:id/snippets',
    paginated: true,
    response: { 200: z.array(Snippet) },
    auth: { on: 'project', ability: 'read_snippets' },
    docs: { summary: 'List snippets of a project', description: 'Newest first.' },
  }),
  show: endpoint({
    name: 'snippets.show',
    method: 'GET',
    path: '/projects/:id/snippets/:snippet_id',
    params: one,
    response: { 200: Snippet },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a snippet of a project' },
  }),
  raw: endpoint({
    name: 'snippets.raw',
    method: 'GET',
    path: '/projects/:id/snippets/:snippet_id/raw',
    params: one,
    kind: 'raw',
    contentTypes: ['text/plain'],
    response: { 200: null, 206: null },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show the raw content of a snippet of a project' },
  }),
  create: endpoint({
    name: 'snippets.create',
    method: 'POST',
    path: '/projects/:id/snippets',
    body: z.object({ title: text(nameText), file_name: text(shortText), ...snippetFields }),
    constraints: [contentNeeded],
    response: { 201: Snippet },
    auth: { on: 'project', ability: 'create_snippets' },
    errors: ['validation_failed'],
    docs: { summary: 'Create a snippet in a project', description: contentDescription },
  }),
  update: endpoint({
    name: 'snippets.update',
    method: 'PUT',
    path: '/projects/:id/snippets/:snippet_id',
    params: one,
    body: z.object({
      ...optional({ title: text(nameText), file_name: text(shortText) }),
      ...snippetFields,
    }),
    constraints: [
      { atLeastOneOf: ['title', 'file_name', 'content', 'code', 'description', 'visibility'] },
    ],
    response: { 200: Snippet },
    auth: { on: 'snippet', ability: 'update_snippet' },
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Update a snippet of a project', description: contentDescription },
  }),
  remove: endpoint({
    name: 'snippets.delete',
    method: 'DELETE',
    path: '/projects/:id/snippets/:snippet_id',
    params: one,
    response: { 204: null },
    auth: { on: 'snippet', ability: 'delete_snippet' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a snippet of a project' },
  }),
}
