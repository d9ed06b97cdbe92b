import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, optional } from '../../platform/contract/fields.ts'

/** Copies of repositories for administrators. */
export const snapshotsContract = {
  show: endpoint({
    name: 'repository.snapshot',
    method: 'GET',
    path: '/projects/:id/snapshot',
    query: z.object(optional({ wiki: boolean() })),
    kind: 'raw',
    contentTypes: ['application/x-tar'],
    response: { 200: null },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['not_found', 'unprocessable'],
    docs: {
      summary: 'Download a snapshot of the repository',
      description:
        'The bare repository with all refs as an uncompressed tar, consistent while pushes go on. ' +
        'With `wiki` that of the wiki, 404 before it is written to.',
    },
  }),
}
