import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, filledText, oneOf, optional, text } from '../contract/fields.ts'
import { Branch } from './branch.schema.ts'

const tag = 'Branches'
const push = { on: 'project', ability: 'push_code' } as const
const admin = { on: 'project', ability: 'admin_protected_refs' } as const
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
      tag,
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
      tag,
      description: 'HEAD answers 204 when the branch exists, 404 when it does not.',
    },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/branches',
    body: z.object({ branch: filledText(), ref: filledText() }),
    response: { 201: Branch },
    auth: push,
    errors: ['bad_request'],
    docs: {
      summary: 'Create a branch',
      tag,
      description: '`ref` is the branch, tag or commit to start from.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/repository/branches/:branch',
    response: { 204: null },
    auth: push,
    errors: ['not_found', 'bad_request', 'precondition_failed'],
    docs: {
      summary: 'Delete a branch',
      tag,
      description: 'The default branch stays; a protected one goes at the hands of maintainers.',
    },
  }),
  removeMerged: endpoint({
    method: 'DELETE',
    path: '/projects/:id/repository/merged_branches',
    response: { 202: z.object({ message: z.string() }) },
    auth: push,
    docs: {
      summary: 'Delete the branches that are merged into the default branch',
      tag,
      description:
        'Done in the background. Protected branches stay, and those of open merge requests.',
    },
  }),
  protect: endpoint({
    method: 'PUT',
    path: '/projects/:id/repository/branches/:branch/protect',
    body: z.object(optional({ developers_can_push: boolean(), developers_can_merge: boolean() })),
    response: { 200: Branch },
    auth: admin,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Protect a branch',
      tag,
      description: 'The old form of `POST /projects/:id/protected_branches`.',
    },
  }),
  unprotect: endpoint({
    method: 'PUT',
    path: '/projects/:id/repository/branches/:branch/unprotect',
    response: { 200: Branch },
    auth: admin,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Unprotect a branch',
      tag,
      description: 'The old form of `DELETE /projects/:id/protected_branches/:name`.',
    },
  }),
}
