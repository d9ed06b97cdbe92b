import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, optional, paid } from '../contract/fields.ts'
import {
  accessGrants,
  branchLevel,
  ProtectedBranch,
  ProtectedBranchDetail,
} from './protected-branch.schema.ts'

const tag = 'Protected branches'
const read = { on: 'project', ability: 'read_protected_refs' } as const
const admin = { on: 'project', ability: 'admin_protected_refs' } as const

/** Document 2, Protected branches; catalogue: repository, 6. */
export const protectedBranchesContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/protected_branches',
    paginated: true,
    response: { 200: z.array(ProtectedBranch) },
    auth: read,
    docs: { summary: 'List the protected branches of a project', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/protected_branches/:name',
    response: { 200: ProtectedBranchDetail },
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'Show a protected branch',
      tag,
      description: 'A wildcard is named as it is, not by a branch that it matches.',
    },
  }),
  protect: endpoint({
    method: 'POST',
    path: '/projects/:id/protected_branches',
    body: z.object({
      name: filledText(),
      ...optional({
        push_access_level: branchLevel(),
        merge_access_level: branchLevel(),
        unprotect_access_level: branchLevel(),
        allowed_to_push: paid(accessGrants()),
        allowed_to_merge: paid(accessGrants()),
        allowed_to_unprotect: paid(accessGrants()),
      }),
    }),
    response: { 201: ProtectedBranchDetail },
    auth: admin,
    errors: ['conflict', 'validation_failed'],
    docs: {
      summary: 'Protect a branch, or several through a wildcard',
      tag,
      description:
        'Levels are 0 (nobody), 30 (developers), 40 (maintainers, the default) and 60 (administrators). ' +
        'Where `allowed_to_*` names somebody, the default level is left out.',
    },
  }),
  unprotect: endpoint({
    method: 'DELETE',
    path: '/projects/:id/protected_branches/:name',
    response: { 204: null },
    auth: admin,
    errors: ['not_found'],
    docs: { summary: 'Unprotect a branch or wildcard', tag },
  }),
}
