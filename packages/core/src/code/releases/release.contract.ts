import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, nonEmptyText, optional, text } from '../../platform/contract/fields.ts'
import { objectList } from '../../platform/contract/list-fields.ts'
import { listedDescriptions } from '../../platform/contract/listed-descriptions.ts'
import { refNameText } from '../../platform/contract/ref-names.ts'
import { nameText, proseText } from '../../platform/contract/text-options.ts'
import { Release } from './release.schema.ts'
import { NewReleaseLink } from './release-link.schema.ts'

const one = '/projects/:id/releases/:tag_name'
const write = { on: 'project', ability: 'write_releases' } as const
const texts = optional({
  name: text(nameText),
  description: text(proseText),
  released_at: dateTime(),
})

/** Characters of the descriptions of a list that are rendered as HTML. */
export const maxListedMarkdown = 2_000_000

const shown = {
  /** Default true. */
  include_html_description: boolean(),
}

/** Releases of projects. */
export const releasesContract = {
  list: endpoint({
    name: 'releases.list',
    method: 'GET',
    path: '/projects/:id/releases',
    paginated: true,
    query: z.object(optional({ ...listedDescriptions, ...shown })),
    response: { 200: z.array(Release) },
    auth: { on: 'project', ability: 'read_releases', anonymous: true },
    docs: {
      summary: 'List releases of a project',
      description:
        'Newest first. Tags, commits and archives are left out for callers who cannot read ' +
        'the code. `description_html` is of the beginning of the longest descriptions if those of ' +
        `a page have more than ${maxListedMarkdown} characters together.`,
    },
  }),
  show: endpoint({
    name: 'releases.show',
    method: 'GET',
    path: one,
    query: z.object(optional(shown)),
    response: { 200: Release },
    auth: { on: 'project', ability: 'read_code', anonymous: true },
    errors: ['not_found'],
    docs: { summary: 'Show a release by its tag' },
  }),
  create: endpoint({
    name: 'releases.create',
    method: 'POST',
    path: '/projects/:id/releases',
    body: z.object({
      tag_name: nonEmptyText(refNameText),
      ...texts,
      ref: text().optional(),
      assets: z.object({ links: objectList(NewReleaseLink).optional() }).optional(),
    }),
    response: { 201: Release },
    auth: write,
    errors: ['bad_request', 'conflict', 'unprocessable', 'validation_failed'],
    docs: {
      summary: 'Create a release',
      description:
        'If the tag does not exist, it is created from `ref`. `name` defaults to the name of ' +
        'the tag.',
    },
  }),
  update: endpoint({
    name: 'releases.update',
    method: 'PUT',
    path: one,
    body: z.object(texts),
    constraints: [{ atLeastOneOf: ['name', 'description', 'released_at'] }],
    response: { 200: Release },
    auth: write,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: { summary: 'Update a release' },
  }),
  remove: endpoint({
    name: 'releases.delete',
    method: 'DELETE',
    path: one,
    response: { 200: Release },
    auth: { on: 'project', ability: 'delete_releases' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a release', description: 'The tag is kept.' },
  }),
}
