import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { oneOf, optional, text } from '../contract/fields.ts'
import { Branch } from './branch.schema.ts'

const auth = { on: 'project', ability: 'read_code', anonymous: true } as const

/** Document 2, Branches; catalogue: repository, 5. */
export const branchesContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/branches',
    query: z.object({
      ...optional({ search: text() }),
      sort: oneOf(['name', 'updated_desc', 'updated_asc']).default('name'),
    }),
    paginated: true,
    response: { 200: z.array(Branch) },
    auth,
    docs: {
      summary: 'List branches',
      tag: 'Branches',
      description: '`^term` finds names that begin with the term, `term$` those that end with it.',
    },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/branches/:branch',
    response: { 200: Branch },
    auth,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Show a branch',
      tag: 'Branches',
      description: 'HEAD answers 204 when the branch exists, 404 when it does not.',
    },
  }),
}
