import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, optional, paid } from '../../platform/contract/fields.ts'
import { refPatternText } from '../../platform/contract/ref-names.ts'
import {
  accessGrants,
  branchLevel,
  ProtectedBranch,
  ProtectedBranchDetail,
} from './protected-branch.schema.ts'

const read = { on: 'project', ability: 'read_protected_refs' } as const
const admin = { on: 'project', ability: 'admin_protected_refs' } as const

/** Protected branches and wildcards of a project. */
export const protectedBranchesContract = {
  list: endpoint({
    name: 'protectedBranches.list',
    method: 'GET',
    path: '/projects/:id/protected_branches',
    paginated: true,
    response: { 200: z.array(ProtectedBranch) },
    auth: read,
    docs: { summary: 'List protected branches of a project' },
  }),
  show: endpoint({
    name: 'protectedBranches.show',
    method: 'GET',
    path: '/projects/:id/protected_branches/:name',
    response: { 200: ProtectedBranchDetail },
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'Show a protected branch or wildcard',
      description: 'A wildcard is given as it is written, not by a branch that it matches.',
    },
  }),
  protect: endpoint({
    name: 'protectedBranches.create',
    method: 'POST',
    path: '/projects/:id/protected_branches',
    body: z.object({
      name: nonEmptyText(refPatternText),
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
      summary: 'Protect a branch or wildcard',
      description:
        'Access levels are 0 (nobody), 30 (developers), 40 (maintainers, the default) and 60 ' +
        '(administrators). The default level is dropped where `allowed_to_*` grants access to ' +
        'someone.',
    },
  }),
  unprotect: endpoint({
    name: 'protectedBranches.delete',
    method: 'DELETE',
    path: '/projects/:id/protected_branches/:name',
    response: { 204: null },
    auth: admin,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Unprotect a branch or wildcard' },
  }),
}
