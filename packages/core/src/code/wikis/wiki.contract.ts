import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, file, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { refNameText } from '../../platform/contract/ref-names.ts'
import { noteText } from '../../platform/contract/text-options.ts'
import { Commit } from '../commits/commit.schema.ts'
import { maxWikiTitleLength, wikiFormats } from './wiki.rules.ts'
import { ListedWikiPage, WikiAttachment, WikiPage } from './wiki-page.schema.ts'

const all = '/projects/:id/wikis'
const one = '/projects/:id/wikis/:slug'

const read = { on: 'project', ability: 'read_wiki', anonymous: true } as const
const write = { on: 'project', ability: 'create_wiki' } as const

const title = text({ rules: { minLength: 1, maxLength: maxWikiTitleLength, pattern: '\\S' } })
const content = text(noteText)
const format = oneOf(wikiFormats)

/** The wikis of projects: pages that are files of a git repository. */
export const wikisContract = {
  list: endpoint({
    name: 'wikis.list',
    method: 'GET',
    path: all,
    query: z.object(optional({ with_content: boolean() })),
    response: { 200: z.array(ListedWikiPage) },
    auth: read,
    errors: ['payload_too_large', 'unprocessable'],
    docs: {
      summary: 'List the wiki pages of a project',
      description: 'All pages of all folders, by title.',
    },
  }),
  create: endpoint({
    name: 'wikis.create',
    method: 'POST',
    path: all,
    body: z.object({ title, content, ...optional({ format }) }),
    response: { 201: WikiPage },
    auth: write,
    errors: ['validation_failed', 'conflict'],
    docs: {
      summary: 'Create a wiki page',
      description:
        'The slug is the title with hyphens for blanks; slashes in it make folders. A title is ' +
        'taken if that of a page differs only in case.',
    },
  }),
  show: endpoint({
    name: 'wikis.show',
    method: 'GET',
    path: one,
    query: z.object(optional({ version: text(refNameText) })),
    response: { 200: WikiPage },
    auth: read,
    errors: ['not_found', 'payload_too_large'],
    docs: {
      summary: 'Show a wiki page',
      description:
        'As of the commit whose hash is `version`, by default the newest one. A page that has moved ' +
        'since is shown as it was called then.',
    },
  }),
  commits: endpoint({
    name: 'wikis.commits',
    method: 'GET',
    path: '/projects/:id/wikis/:slug/commits',
    paginated: true,
    response: { 200: z.array(Commit) },
    auth: read,
    errors: ['not_found', 'unprocessable'],
    docs: {
      summary: 'List the commits of a wiki page',
      description:
        'An extension. Those that changed it, newest first, without a total. It is followed through ' +
        'its last 20 moves.',
    },
  }),
  update: endpoint({
    name: 'wikis.update',
    method: 'PUT',
    path: one,
    body: z.object(optional({ title, content, format })),
    constraints: [{ atLeastOneOf: ['title', 'content', 'format'] }],
    response: { 200: WikiPage },
    auth: write,
    errors: ['not_found', 'validation_failed', 'payload_too_large', 'conflict'],
    docs: {
      summary: 'Update a wiki page',
      description:
        'Another title renames the page, which stays in its folder unless the title has a slash.',
    },
  }),
  delete: endpoint({
    name: 'wikis.delete',
    method: 'DELETE',
    path: one,
    response: { 204: null },
    auth: { on: 'project', ability: 'admin_wiki' },
    errors: ['bad_request', 'not_found', 'conflict'],
    docs: { summary: 'Delete a wiki page' },
  }),
}

/** Files that the pages of wikis show and link to. */
export const wikiAttachmentsContract = {
  create: endpoint({
    name: 'wikis.attachments.create',
    method: 'POST',
    path: '/projects/:id/wikis/attachments',
    body: z.object({ file: file(), ...optional({ branch: text(refNameText) }) }),
    response: { 201: WikiAttachment },
    auth: write,
    errors: ['bad_request', 'payload_too_large', 'conflict'],
    docs: {
      summary: 'Upload a file to the wiki of a project',
      description:
        'The file is committed to the repository of the wiki. `link.url` is relative to ' +
        '`/<project>/wikis/`. Larger files than `max_attachment_size` are 413.',
    },
  }),
}
