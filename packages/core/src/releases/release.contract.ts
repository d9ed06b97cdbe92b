import { z } from 'zod'
import { instant } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, maxArrayLength, optional, text } from '../contract/fields.ts'
import { NewReleaseLink } from '../release-links/release-link.schema.ts'
import { Release } from './release.schema.ts'

const tag = 'Releases'
const one = '/projects/:id/releases/:tag_name'
const write = { on: 'project', ability: 'write_releases' } as const
const texts = optional({ name: text(), description: text(), released_at: instant() })

/** Catalogue: repository, 9. */
export const releasesContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/releases',
    paginated: true,
    response: { 200: z.array(Release) },
    auth: { on: 'project', ability: 'read_releases', anonymous: true },
    docs: {
      summary: 'List releases, newest first',
      tag,
      description: 'Who may not read the code sees neither tags and commits nor archives.',
    },
  }),
  show: endpoint({
    method: 'GET',
    path: one,
    response: { 200: Release },
    auth: { on: 'project', ability: 'read_code', anonymous: true },
    errors: ['not_found'],
    docs: { summary: 'Show the release of a tag', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/releases',
    body: z.object({
      tag_name: filledText(),
      ...texts,
      ref: text().optional(),
      assets: z
        .object({ links: z.array(NewReleaseLink).max(maxArrayLength).optional() })
        .optional(),
    }),
    response: { 201: Release },
    auth: write,
    errors: ['bad_request', 'conflict', 'unprocessable', 'validation_failed'],
    docs: {
      summary: 'Create a release',
      tag,
      description:
        'A tag that does not exist is made from `ref`. The name of the tag is the default of `name`.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: one,
    body: z.object(texts),
    response: { 200: Release },
    auth: write,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: { summary: 'Change a release', tag },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    response: { 200: Release },
    auth: { on: 'project', ability: 'delete_releases' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a release; its tag stays', tag },
  }),
}
