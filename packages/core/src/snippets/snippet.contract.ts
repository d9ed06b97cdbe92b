import { z } from 'zod'
import { visibilities } from '../access/level.ts'
import { endpoint } from '../contract/endpoint.ts'
import { integer, oneOf, optional, text } from '../contract/fields.ts'
import { PersonalSnippet } from './snippet.schema.ts'

const tag = 'Snippets'
const one = z.object({ snippet_id: integer() })

/** What all writes of snippets take; the content is sent under either name. */
export const snippetFields = optional({
  content: text(),
  code: text(),
  description: text(),
  visibility: oneOf(visibilities),
})

/** How the content may be sent. */
export const contentNote = 'The content is sent as `content` or as `code`.'

/** Snippets of the caller, and those that all can see (catalogue: planning, 6). */
export const snippetsContract = {
  list: endpoint({
    method: 'GET',
    path: '/snippets',
    paginated: true,
    response: { 200: z.array(PersonalSnippet) },
    auth: {},
    docs: { summary: 'List the snippets of the current user, the newest first', tag },
  }),
  listPublic: endpoint({
    method: 'GET',
    path: '/snippets/public',
    paginated: true,
    response: { 200: z.array(PersonalSnippet) },
    auth: {},
    docs: { summary: 'List all public snippets, the newest first', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/snippets/:snippet_id',
    params: one,
    response: { 200: PersonalSnippet },
    auth: {},
    errors: ['not_found'],
    docs: { summary: 'Show a snippet', tag },
  }),
  raw: endpoint({
    method: 'GET',
    path: '/snippets/:snippet_id/raw',
    params: one,
    kind: 'raw',
    response: { 200: null },
    auth: {},
    errors: ['not_found'],
    docs: { summary: 'Download the content of a snippet', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/snippets',
    body: z.object({ title: text(), file_name: text(), ...snippetFields }),
    response: { 201: PersonalSnippet },
    auth: { on: 'instance', ability: 'create_personal_snippet' },
    errors: ['validation_failed'],
    docs: { summary: 'Create a personal snippet', tag, description: contentNote },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/snippets/:snippet_id',
    params: one,
    body: z.object({ ...optional({ title: text(), file_name: text() }), ...snippetFields }),
    response: { 200: PersonalSnippet },
    auth: {},
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Change a personal snippet', tag, description: contentNote },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/snippets/:snippet_id',
    params: one,
    response: { 204: null },
    auth: {},
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a personal snippet', tag },
  }),
}
