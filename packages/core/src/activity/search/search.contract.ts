import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { oneOf, optional, text } from '../../platform/contract/fields.ts'
import { listedBodies } from '../../platform/contract/listed-bodies.ts'
import { listedDescriptions } from '../../platform/contract/listed-descriptions.ts'
import { nonBlankText } from '../../platform/contract/non-blank-text.ts'
import {
  GroupSearchResults,
  groupSearchScopes,
  ProjectSearchResults,
  projectSearchScopes,
  SearchResults,
  searchScopes,
} from './search.schema.ts'

const list = { name: 'search.list', method: 'GET', paginated: true } as const

const texts = optional({ ...listedDescriptions, ...listedBodies })

const code =
  'Code (`blobs`, `wiki_blobs`) must contain the text as it is, several words in a row, in its path ' +
  'or contents, and `commits` in their message. Code has filters as words of their own: ' +
  "`filename:`, `path:` and `extension:`, where `*` stands for any characters and can't be escaped, " +
  'and double quotes are for blanks (`path:"a b/"`). Paths come first, and no total is ' +
  'counted; there are up to 1,000 results. Beyond one project, 503 if an external search engine ' +
  'does not respond.'

/** Search of the instance, a group or a project, among what the caller may read. */
export const searchContract = {
  instance: endpoint({
    ...list,
    path: '/search',
    aliases: ['/-/search'],
    query: z.object({ scope: oneOf(searchScopes), search: nonBlankText(), ...texts }),
    response: { 200: SearchResults },
    auth: {},
    errors: ['bad_request'],
    docs: {
      summary: 'Search everything',
      description:
        'Newest first. Issues, merge requests, milestones, snippets and comments must contain ' +
        'each word of the text, where text in double quotes is one word; projects and users the ' +
        'text as a whole. Case is ignored, and other characters have no special meaning. ' +
        code,
    },
  }),
  group: endpoint({
    ...list,
    path: '/groups/:id/search',
    aliases: ['/groups/:id/-/search'],
    query: z.object({ scope: oneOf(groupSearchScopes), search: nonBlankText(), ...texts }),
    response: { 200: GroupSearchResults },
    auth: { on: 'group', ability: 'read_group' },
    errors: ['bad_request'],
    docs: {
      summary: 'Search a group',
      description:
        'Includes subgroups and the projects of all these. The scope `users` finds its members.',
    },
  }),
  project: endpoint({
    ...list,
    path: '/projects/:id/search',
    aliases: ['/projects/:id/-/search'],
    query: z.object({
      scope: oneOf(projectSearchScopes),
      search: nonBlankText(),
      ...texts,
      ...optional({ ref: text() }),
    }),
    response: { 200: ProjectSearchResults },
    auth: { on: 'project', ability: 'read_project' },
    errors: ['not_found'],
    docs: {
      summary: 'Search a project',
      description:
        'The scope `users` finds its members. A scope whose list the caller may not read is ' +
        'forbidden. `ref` is the branch, tag or commit of the scopes `blobs` and `commits`, by ' +
        'default the default branch; others ignore it. At another one than that git searches, ' +
        'which reads contents as UTF-8.',
    },
  }),
}
