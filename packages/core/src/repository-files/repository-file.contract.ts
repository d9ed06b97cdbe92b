import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, optional, text } from '../contract/fields.ts'
import { RepositoryFile } from './repository-file.schema.ts'

const auth = {
  on: 'project',
  ability: 'read_code',
  anonymous: true,
  scope: ['api', 'read_repository'],
} as const

/** Catalogue: repository, 2. */
export const repositoryFilesContract = {
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/files/:file_path',
    query: z.object({ ref: filledText() }),
    response: { 200: RepositoryFile },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: {
      summary: 'Show a file with its content',
      tag: 'Repository files',
      description:
        'GET and HEAD answer with an `X-Gitlab-*` header for each field but the content.',
    },
  }),
  raw: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/files/:file_path/raw',
    query: z.object(optional({ ref: text() })),
    kind: 'raw',
    response: { 200: null },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Read the bytes of a file', tag: 'Repository files' },
  }),
}
