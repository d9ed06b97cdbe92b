import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, optional, text } from '../contract/fields.ts'
import { BlameRange, RepositoryFile } from './repository-file.schema.ts'
import { repositoryFileWriteEndpoints } from './repository-file-write.contract.ts'

const auth = {
  on: 'project',
  ability: 'read_code',
  anonymous: true,
  scope: ['api', 'read_repository'],
} as const

/** Catalogue: repository, 2. */
export const repositoryFilesContract = {
  ...repositoryFileWriteEndpoints,
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
        'GET and HEAD answer with an `X-Gitlab-*` and an `X-Stithy-*` header for each field but the content.',
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
  blame: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/files/:file_path/blame',
    query: z.object({ ref: filledText() }),
    response: { 200: z.array(BlameRange) },
    auth,
    errors: ['not_found', 'payload_too_large', 'unprocessable'],
    docs: {
      summary: 'Show which commit last changed each line of a file',
      tag: 'Repository files',
    },
  }),
}
