import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { oneOfNumbers, text } from '../../platform/contract/fields.ts'
import { refPatternText } from '../../platform/contract/ref-names.ts'
import { ProtectedTag, protectedTagLevels } from './protected-tag.schema.ts'

const read = { on: 'project', ability: 'read_protected_refs' } as const
const admin = { on: 'project', ability: 'admin_protected_refs' } as const

/** Protected tags and wildcards of a project. */
export const protectedTagsContract = {
  list: endpoint({
    name: 'protectedTags.list',
    method: 'GET',
    path: '/projects/:id/protected_tags',
    paginated: true,
    response: { 200: z.array(ProtectedTag) },
    auth: read,
    docs: { summary: 'List protected tags of a project' },
  }),
  show: endpoint({
    name: 'protectedTags.show',
    method: 'GET',
    path: '/projects/:id/protected_tags/:name',
    response: { 200: ProtectedTag },
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'Show a protected tag or wildcard',
      description: 'A wildcard is given as it is written, not by a tag that it matches.',
    },
  }),
  protect: endpoint({
    name: 'protectedTags.create',
    method: 'POST',
    path: '/projects/:id/protected_tags',
    body: z.object({
      // A blank name is a 422, like a taken one, so it must pass validation here.
      name: text(refPatternText),
      create_access_level: oneOfNumbers(protectedTagLevels).default(40),
    }),
    response: { 201: ProtectedTag },
    auth: admin,
    errors: ['unprocessable'],
    docs: {
      summary: 'Protect a tag or wildcard',
      description:
        'The access level says who may create such tags: 0 (nobody), 30 (developers), 40 ' +
        '(maintainers). Nobody may move or delete them.',
    },
  }),
  unprotect: endpoint({
    name: 'protectedTags.delete',
    method: 'DELETE',
    path: '/projects/:id/protected_tags/:name',
    response: { 204: null },
    auth: admin,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Unprotect a tag or wildcard' },
  }),
}
