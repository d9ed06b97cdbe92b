import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, optional, text } from '../contract/fields.ts'
import { TreeEntry } from './repository.schema.ts'

/** Catalogue: repository, 1. */
export const repositoryContract = {
  tree: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/tree',
    query: z.object(optional({ path: text(), ref: text(), recursive: boolean() })),
    paginated: true,
    response: { 200: z.array(TreeEntry) },
    auth: { on: 'project', ability: 'read_code', anonymous: true },
    errors: ['not_found'],
    docs: {
      summary: 'List the files and directories of a repository',
      tag: 'Repositories',
      description: 'An unknown `path` gives an empty list, an unknown `ref` a 404.',
    },
  }),
}
