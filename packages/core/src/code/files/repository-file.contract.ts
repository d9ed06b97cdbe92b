import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, optional, text } from '../../platform/contract/fields.ts'
import { fileLineLimits } from './file-lines.rules.ts'
import {
  BlameRange,
  FileLines,
  fileContentTypes,
  RepositoryFile,
} from './repository-file.schema.ts'
import { repositoryFileWriteEndpoints } from './repository-file-write.contract.ts'

const auth = {
  on: 'project',
  ability: 'read_code',
  anonymous: true,
  scope: ['api', 'read_repository'],
} as const

/** Files of a repository. */
export const repositoryFilesContract = {
  ...repositoryFileWriteEndpoints,
  show: endpoint({
    name: 'repository.files.show',
    method: 'GET',
    path: '/projects/:id/repository/files/:file_path',
    query: z.object({ ref: nonEmptyText() }),
    response: { 200: RepositoryFile },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: {
      summary: 'Show a file of the repository',
      description:
        'GET and HEAD also send every field but the content as `X-Gitlab-*` and `X-Stithy-*` ' +
        'headers.',
    },
  }),
  raw: endpoint({
    name: 'repository.files.raw',
    method: 'GET',
    path: '/projects/:id/repository/files/:file_path/raw',
    query: z.object(optional({ ref: text() })),
    kind: 'raw',
    contentTypes: fileContentTypes,
    response: { 200: null, 206: null },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show the raw content of a file of the repository' },
  }),
  lines: endpoint({
    name: 'repository.files.lines',
    method: 'GET',
    path: '/projects/:id/repository/files/:file_path/lines',
    query: z.object({ ref: nonEmptyText() }),
    response: { 200: FileLines },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Show the highlighted lines of a file of the repository',
      description:
        `An extension. Each line is HTML with classes of highlight.js. The first ${fileLineLimits.lines} ` +
        `lines of a text of up to ${fileLineLimits.bytes} bytes; of a line, the first ` +
        `${fileLineLimits.lineLength} characters.`,
    },
  }),
  blame: endpoint({
    name: 'repository.files.blame',
    method: 'GET',
    path: '/projects/:id/repository/files/:file_path/blame',
    query: z.object({ ref: nonEmptyText() }),
    response: { 200: z.array(BlameRange) },
    auth,
    errors: ['not_found', 'payload_too_large', 'unprocessable'],
    docs: { summary: 'Show the blame of a file of the repository' },
  }),
}
