import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, integer, optional } from '../contract/fields.ts'
import { NewReleaseLink, ReleaseLink } from './release-link.schema.ts'

const tag = 'Release links'
const links = '/projects/:id/releases/:tag_name/assets/links'
const one = `${links}/:link_id` as const
const params = z.object({ link_id: integer({ min: 1 }) })
const read = { on: 'project', ability: 'read_releases' } as const
const write = { on: 'project', ability: 'write_releases' } as const

/** Document 3, Release links; catalogue: repository, 9. */
export const releaseLinksContract = {
  list: endpoint({
    method: 'GET',
    path: links,
    paginated: true,
    response: { 200: z.array(ReleaseLink) },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'List the links of a release, newest first', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: one,
    params,
    response: { 200: ReleaseLink },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a link of a release', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: links,
    body: NewReleaseLink,
    response: { 201: ReleaseLink },
    auth: write,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Add a link to a release',
      tag,
      description: '`url` begins with `http`, `https` or `ftp`.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: one,
    params,
    body: z.object(optional({ name: filledText(), url: filledText() })),
    response: { 200: ReleaseLink },
    auth: write,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: {
      summary: 'Change a link of a release',
      tag,
      description: 'At least one of `name` and `url` is needed.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    params,
    response: { 200: ReleaseLink },
    auth: { on: 'project', ability: 'delete_releases' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a link of a release', tag },
  }),
}
