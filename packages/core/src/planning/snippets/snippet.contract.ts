import { z } from 'zod'
import { visibilities } from '../../platform/access/level.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, oneOf, optional, type TextOptions, text } from '../../platform/contract/fields.ts'
import { nameText, proseText, shortText } from '../../platform/contract/text-options.ts'
import { maxSnippetBytes } from './snippet.rules.ts'
import { PersonalSnippet } from './snippet.schema.ts'

const one = z.object({ snippet_id: integer() })
const read = { on: 'personal_snippet', ability: 'read_personal_snippet' } as const

const contentText: TextOptions = {
  rules: { minLength: 1, maxLength: maxSnippetBytes, pattern: String.raw`\S` },
}

/** Parameters of all writes; the content may have either name. */
export const snippetFields = optional({
  content: text(contentText),
  code: text(contentText),
  description: text(proseText),
  visibility: oneOf(visibilities),
})

/** A new snippet has content. */
export const contentNeeded = {
  atLeastOneOf: ['content', 'code'],
  message: 'content is missing',
} as const

/** Documentation of the two names of the content. */
export const contentDescription = 'The content may be sent as `content` or as `code`.'

/** The caller's personal snippets, and public ones. */
export const snippetsContract = {
  list: endpoint({
    name: 'snippets.list',
    method: 'GET',
    path: '/snippets',
    paginated: true,
    response: { 200: z.array(PersonalSnippet) },
    auth: {},
    docs: { summary: 'List snippets of the current user', description: 'Newest first.' },
  }),
  listPublic: endpoint({
    name: 'snippets.listPublic',
    method: 'GET',
    path: '/snippets/public',
    paginated: true,
    response: { 200: z.array(PersonalSnippet) },
    auth: {},
    docs: { summary: 'List public snippets', description: 'Newest first.' },
  }),
  show: endpoint({
    name: 'snippets.show',
    method: 'GET',
    path: '/snippets/:snippet_id',
    params: one,
    response: { 200: PersonalSnippet },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a snippet' },
  }),
  raw: endpoint({
    name: 'snippets.raw',
    method: 'GET',
    path: '/snippets/:snippet_id/raw',
    params: one,
    kind: 'raw',
    contentTypes: ['text/plain'],
    response: { 200: null, 206: null },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show the raw content of a snippet' },
  }),
  create: endpoint({
    name: 'snippets.create',
    method: 'POST',
    path: '/snippets',
    body: z.object({ title: text(nameText), file_name: text(shortText), ...snippetFields }),
    constraints: [contentNeeded],
    response: { 201: PersonalSnippet },
    auth: { on: 'instance', ability: 'create_personal_snippet' },
    errors: ['validation_failed'],
    docs: { summary: 'Create a personal snippet', description: contentDescription },
  }),
  update: endpoint({
    name: 'snippets.update',
    method: 'PUT',
    path: '/snippets/:snippet_id',
    params: one,
    body: z.object({
      ...optional({ title: text(nameText), file_name: text(shortText) }),
      ...snippetFields,
    }),
    constraints: [
      {
        atLeastOneOf: ['title', 'file_name', 'content', 'code', 'visibility'],
        message:
          'title, file_name, content, visibility are missing, at least one parameter must be provided',
      },
    ],
    response: { 200: PersonalSnippet },
    auth: { on: 'personal_snippet', ability: 'update_personal_snippet' },
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Update a personal snippet', description: contentDescription },
  }),
  remove: endpoint({
    name: 'snippets.delete',
    method: 'DELETE',
    path: '/snippets/:snippet_id',
    params: one,
    response: { 204: null },
    auth: { on: 'personal_snippet', ability: 'delete_personal_snippet' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a personal snippet' },
  }),
}
