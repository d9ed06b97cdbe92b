import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, oneOf, optional, text } from '../contract/fields.ts'
import { Tag, TagRelease } from './tag.schema.ts'

const docsTag = 'Tags'
const read = { on: 'project', ability: 'read_code', anonymous: true } as const
const push = { on: 'project', ability: 'push_code' } as const
const release = { on: 'project', ability: 'write_releases' } as const

/** Catalogue: repository, 7. */
export const tagsContract = {
  list: endpoint({
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
      summary: 'List tags',
      tag: docsTag,
      description: '`^term` finds names that begin with the term, `term$` those that end with it.',
    },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/tags/:tag_name',
    response: { 200: Tag },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a tag', tag: docsTag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/tags',
    body: z.object({
      tag_name: filledText(),
      ref: filledText(),
      ...optional({ message: text(), release_description: text() }),
    }),
    response: { 201: Tag },
    auth: push,
    errors: ['bad_request', 'validation_failed'],
    docs: {
      summary: 'Create a tag',
      tag: docsTag,
      description:
        'With `message` the tag is annotated. `release_description` is deprecated: it creates a release too.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/repository/tags/:tag_name',
    response: { 204: null },
    auth: push,
    errors: ['not_found', 'bad_request', 'precondition_failed'],
    docs: { summary: 'Delete a tag, and its release with it', tag: docsTag },
  }),
  createRelease: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/tags/:tag_name/release',
    body: z.object({ description: filledText() }),
    response: { 201: TagRelease },
    auth: release,
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: {
      summary: 'Release a tag',
      tag: docsTag,
      description: 'Deprecated: create a release instead.',
    },
  }),
  updateRelease: endpoint({
    method: 'PUT',
    path: '/projects/:id/repository/tags/:tag_name/release',
    body: z.object({ description: filledText() }),
    response: { 200: TagRelease },
    auth: release,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Change the release of a tag',
      tag: docsTag,
      description: 'Deprecated: update the release instead.',
    },
  }),
}
