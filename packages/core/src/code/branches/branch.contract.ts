import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, nonEmptyText, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { refNameText } from '../../platform/contract/ref-names.ts'
import { Branch } from './branch.schema.ts'

const push = { on: 'project', ability: 'push_code' } as const
const admin = { on: 'project', ability: 'admin_protected_refs' } as const
const auth = { on: 'project', ability: 'read_code', anonymous: true } as const

/** Branches of a repository. */
export const branchesContract = {
  list: endpoint({
    name: 'branches.list',
    method: 'GET',
    path: '/projects/:id/repository/branches',
    query: z.object({
      ...optional({ search: text(), with_divergence: boolean() }),
      sort: oneOf(['name', 'updated_desc', 'updated_asc']).default('name'),
    }),
    paginated: true,
    response: { 200: z.array(Branch) },
    auth,
    docs: {
      summary: 'List branches of a repository',
      description:
        '`^term` matches names that start with the term, `term$` names that end with it. ' +
        '`with_divergence` is an extension: counts that take too long are null.',
    },
  }),
  show: endpoint({
    name: 'branches.show',
    method: 'GET',
    path: '/projects/:id/repository/branches/:branch',
    response: { 200: Branch },
    auth,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Show a branch',
      description: 'HEAD returns 204 if the branch exists, and 404 if not.',
    },
  }),
  create: endpoint({
    name: 'branches.create',
    method: 'POST',
    path: '/projects/:id/repository/branches',
    body: z.object({ branch: nonEmptyText(refNameText), ref: nonEmptyText() }),
    response: { 201: Branch },
    auth: push,
    errors: ['bad_request'],
    docs: {
      summary: 'Create a branch',
      description:
        '`ref` is the branch, tag or commit to start from. An empty repository gets a first ' +
        'commit on its default branch before.',
    },
  }),
  remove: endpoint({
    name: 'branches.delete',
    method: 'DELETE',
    path: '/projects/:id/repository/branches/:branch',
    response: { 204: null },
    auth: push,
    errors: ['not_found', 'bad_request', 'precondition_failed'],
    docs: {
      summary: 'Delete a branch',
      description:
        'The default branch cannot be deleted, and protected branches only by maintainers.',
    },
  }),
  removeMerged: endpoint({
    name: 'branches.deleteMerged',
    method: 'DELETE',
    path: '/projects/:id/repository/merged_branches',
    response: { 202: z.object({ message: z.string() }) },
    auth: push,
    docs: {
      summary: 'Delete merged branches',
      description:
        'In the background. Deletes all branches that are merged into the default branch, ' +
        'except protected ones and those of open merge requests.',
    },
  }),
  protect: endpoint({
    name: 'protectedBranches.create',
    legacy: true,
    method: 'PUT',
    path: '/projects/:id/repository/branches/:branch/protect',
    body: z.object(optional({ developers_can_push: boolean(), developers_can_merge: boolean() })),
    response: { 200: Branch },
    auth: admin,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Protect a branch by its name',
      description: '`POST /projects/:id/protected_branches` replaces it.',
    },
  }),
  unprotect: endpoint({
    name: 'protectedBranches.delete',
    legacy: true,
    method: 'PUT',
    path: '/projects/:id/repository/branches/:branch/unprotect',
    response: { 200: Branch },
    auth: admin,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Unprotect a branch by its name',
      description: '`DELETE /projects/:id/protected_branches/:name` replaces it.',
    },
  }),
}
