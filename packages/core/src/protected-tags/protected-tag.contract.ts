import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { oneOfNumbers, text } from '../contract/fields.ts'
import { ProtectedTag, protectedTagLevels } from './protected-tag.schema.ts'

const tag = 'Protected tags'
const read = { on: 'project', ability: 'read_protected_refs' } as const
const admin = { on: 'project', ability: 'admin_protected_refs' } as const

/** Catalogue: repository, 8. */
export const protectedTagsContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/protected_tags',
    paginated: true,
    response: { 200: z.array(ProtectedTag) },
    auth: read,
    docs: { summary: 'List the protected tags of a project', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/protected_tags/:name',
    response: { 200: ProtectedTag },
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'Show a protected tag',
      tag,
      description: 'A wildcard is named as it is, not by a tag that it matches.',
    },
  }),
  protect: endpoint({
    method: 'POST',
    path: '/projects/:id/protected_tags',
    body: z.object({
      // A blank name is a 422 as one that is taken, so it must get through.
      name: text(),
      create_access_level: oneOfNumbers(protectedTagLevels).default(40),
    }),
    response: { 201: ProtectedTag },
    auth: admin,
    errors: ['unprocessable'],
    docs: {
      summary: 'Protect a tag, or several through a wildcard',
      tag,
      description:
        'The level says who may create such tags: 0 (nobody), 30 (developers), 40 (maintainers). ' +
        'Nobody can move or delete one.',
    },
  }),
  unprotect: endpoint({
    method: 'DELETE',
    path: '/projects/:id/protected_tags/:name',
    response: { 204: null },
    auth: admin,
    errors: ['not_found'],
    docs: { summary: 'Unprotect a tag or wildcard', tag },
  }),
}
