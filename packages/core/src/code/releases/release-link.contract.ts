import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText, optional } from '../../platform/contract/fields.ts'
import { nameText } from '../../platform/contract/text-options.ts'
import { linkUrl, NewReleaseLink, ReleaseLink } from './release-link.schema.ts'

const links = '/projects/:id/releases/:tag_name/assets/links'
const one = `${links}/:link_id` as const
const params = z.object({ link_id: integer({ min: 1 }) })
const read = { on: 'project', ability: 'read_releases' } as const
const write = { on: 'project', ability: 'write_releases' } as const

/** Links of releases. */
export const releaseLinksContract = {
  list: endpoint({
    name: 'releases.links.list',
    method: 'GET',
    path: links,
    paginated: true,
    response: { 200: z.array(ReleaseLink) },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'List links of a release', description: 'Newest first.' },
  }),
  show: endpoint({
    name: 'releases.links.show',
    method: 'GET',
    path: one,
    params,
    response: { 200: ReleaseLink },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a link of a release' },
  }),
  create: endpoint({
    name: 'releases.links.create',
    method: 'POST',
    path: links,
    body: NewReleaseLink,
    response: { 201: ReleaseLink },
    auth: write,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Create a link of a release',
      description: '`url` starts with `http`, `https` or `ftp`.',
    },
  }),
  update: endpoint({
    name: 'releases.links.update',
    method: 'PUT',
    path: one,
    params,
    body: z.object(optional({ name: nonEmptyText(nameText), url: nonEmptyText(linkUrl) })),
    constraints: [{ atLeastOneOf: ['name', 'url'] }],
    response: { 200: ReleaseLink },
    auth: write,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: {
      summary: 'Update a link of a release',
      description: 'At least one of `name` and `url` is required.',
    },
  }),
  remove: endpoint({
    name: 'releases.links.delete',
    method: 'DELETE',
    path: one,
    params,
    response: { 200: ReleaseLink },
    auth: { on: 'project', ability: 'delete_releases' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a link of a release' },
  }),
}
