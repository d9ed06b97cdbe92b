import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { oneOf } from '../../platform/contract/fields.ts'
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

/** Search of the instance, a group or a project, among what the caller may read. */
export const searchContract = {
  instance: endpoint({
    ...list,
    path: '/search',
    aliases: ['/-/search'],
    query: z.object({ scope: oneOf(searchScopes), search: nonBlankText() }),
    response: { 200: SearchResults },
    auth: {},
    docs: {
      summary: 'Search everything',
      description:
        'Newest first. Issues, merge requests, milestones, snippets and comments must contain ' +
        'each word of the text, where text in double quotes is one word; projects and users the ' +
        'text as a whole. Case is ignored, and other characters have no special meaning.',
    },
  }),
  group: endpoint({
    ...list,
    path: '/groups/:id/search',
    aliases: ['/groups/:id/-/search'],
    query: z.object({ scope: oneOf(groupSearchScopes), search: nonBlankText() }),
    response: { 200: GroupSearchResults },
    auth: { on: 'group', ability: 'read_group' },
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
    query: z.object({ scope: oneOf(projectSearchScopes), search: nonBlankText() }),
    response: { 200: ProjectSearchResults },
    auth: { on: 'project', ability: 'read_project' },
    docs: {
      summary: 'Search a project',
      description:
        'The scope `users` finds its members. A scope whose list the caller may not read is ' +
        'forbidden.',
    },
  }),
}
