import { z } from 'zod'
import {
  commitMessage,
  contentEncoding,
  fileContent,
  filesBodyLimit,
} from '../commits/commit-action.schema.ts'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, optional, text } from '../contract/fields.ts'
import { WrittenFile } from './repository-file.schema.ts'

const tag = 'Repository files'
const path = '/projects/:id/repository/files/:file_path'
const auth = { on: 'project', ability: 'push_code' } as const

const target = {
  branch: filledText(),
  commit_message: commitMessage(),
  ...optional({ start_branch: text(), author_email: text(), author_name: text() }),
}
const content = { content: fileContent(), ...optional({ encoding: contentEncoding() }) }
const lock = optional({ last_commit_id: text() })

/** Catalogue: repository, 2: what writes. */
export const repositoryFileWriteEndpoints = {
  create: endpoint({
    method: 'POST',
    path,
    body: z.object({ ...target, ...content }),
    bodyLimit: filesBodyLimit,
    response: { 201: WrittenFile },
    auth,
    errors: ['bad_request'],
    docs: { summary: 'Create a file', tag },
  }),
  update: endpoint({
    method: 'PUT',
    path,
    body: z.object({ ...target, ...content, ...lock }),
    bodyLimit: filesBodyLimit,
    response: { 200: WrittenFile },
    auth,
    errors: ['bad_request'],
    docs: {
      summary: 'Change a file',
      tag,
      description: 'The content that the file already has is refused.',
    },
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    query: z.object({ ...target, ...lock }),
    response: { 204: null },
    auth,
    errors: ['bad_request'],
    docs: { summary: 'Delete a file', tag },
  }),
}
