import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { refNameText } from '../../platform/contract/ref-names.ts'
import { maxProseLength, proseText } from '../../platform/contract/text-options.ts'
import { Tag, TagRelease } from './tag.schema.ts'

const read = { on: 'project', ability: 'read_code', anonymous: true } as const
const push = { on: 'project', ability: 'push_code' } as const
const release = { on: 'project', ability: 'write_releases' } as const

/** Tags of a repository. */
export const tagsContract = {
  list: endpoint({
    name: 'tags.list',
    method: 'GET',
    path: '/projects/:id/repository/tags',
    query: z.object({
      order_by: oneOf(['updated', 'name']).default('updated'),
      sort: oneOf(['asc', 'desc']).default('desc'),
      ...optional({ search: text() }),
    }),
    paginated: true,
    response: { 200: z.array(Tag) },
    auth: read,
    docs: {
      summary: 'List tags of a repository',
      description:
        '`^term` matches names that start with the term, `term$` names that end with it.',
    },
  }),
  show: endpoint({
    name: 'tags.show',
    method: 'GET',
    path: '/projects/:id/repository/tags/:tag_name',
    response: { 200: Tag },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a tag' },
  }),
  create: endpoint({
    name: 'tags.create',
    method: 'POST',
    path: '/projects/:id/repository/tags',
    body: z.object({
      tag_name: nonEmptyText(refNameText),
      ref: nonEmptyText(),
      ...optional({ message: text({ max: maxProseLength }), release_description: text(proseText) }),
    }),
    response: { 201: Tag },
    auth: push,
    errors: ['bad_request', 'validation_failed'],
    docs: {
      summary: 'Create a tag',
      description:
        'With `message` the tag is annotated. `release_description` is deprecated; it creates ' +
        'a release as well.',
    },
  }),
  remove: endpoint({
    name: 'tags.delete',
    method: 'DELETE',
    path: '/projects/:id/repository/tags/:tag_name',
    response: { 204: null },
    auth: push,
    errors: ['not_found', 'bad_request', 'precondition_failed'],
    docs: { summary: 'Delete a tag', description: 'Deletes the release of the tag as well.' },
  }),
  createRelease: endpoint({
    name: 'releases.create',
    legacy: true,
    method: 'POST',
    path: '/projects/:id/repository/tags/:tag_name/release',
    body: z.object({ description: nonEmptyText(proseText) }),
    response: { 201: TagRelease },
    auth: release,
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: {
      summary: 'Create a release for a tag',
      description: '`POST /projects/:id/releases` replaces it.',
    },
  }),
  updateRelease: endpoint({
    name: 'releases.update',
    legacy: true,
    method: 'PUT',
    path: '/projects/:id/repository/tags/:tag_name/release',
    body: z.object({ description: nonEmptyText(proseText) }),
    response: { 200: TagRelease },
    auth: release,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Update the release of a tag',
      description: '`PUT /projects/:id/releases/:tag_name` replaces it.',
    },
  }),
}
