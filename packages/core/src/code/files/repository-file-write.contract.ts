import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, optional, text } from '../../platform/contract/fields.ts'
import { branchText, refNameText } from '../../platform/contract/ref-names.ts'
import {
  commitMessage,
  contentEncoding,
  fileContent,
  filesBodyLimit,
} from '../commits/commit-action.schema.ts'
import { WrittenFile } from './repository-file.schema.ts'

const path = '/projects/:id/repository/files/:file_path'
const auth = { on: 'project', ability: 'push_to_branch' } as const

const target = {
  branch: nonEmptyText(refNameText),
  commit_message: commitMessage(),
  ...optional({ start_branch: text(branchText), author_email: text(), author_name: text() }),
}
const content = { content: fileContent(), ...optional({ encoding: contentEncoding() }) }
const lock = optional({ last_commit_id: text() })

/** The endpoints that write a file of a repository. */
export const repositoryFileWriteEndpoints = {
  create: endpoint({
    name: 'repository.files.create',
    method: 'POST',
    path,
    body: z.object({ ...target, ...content }),
    bodyLimit: filesBodyLimit,
    response: { 201: WrittenFile },
    auth,
    errors: ['bad_request'],
    docs: { summary: 'Create a file in the repository' },
  }),
  update: endpoint({
    name: 'repository.files.update',
    method: 'PUT',
    path,
    body: z.object({ ...target, ...content, ...lock }),
    bodyLimit: filesBodyLimit,
    response: { 200: WrittenFile },
    auth,
    errors: ['bad_request'],
    docs: {
      summary: 'Update a file in the repository',
      description: 'Returns 400 if the file already has this content.',
    },
  }),
  delete: endpoint({
    name: 'repository.files.delete',
    method: 'DELETE',
    path,
    query: z.object({ ...target, ...lock }),
    response: { 204: null },
    auth,
    errors: ['bad_request'],
    docs: { summary: 'Delete a file from the repository' },
  }),
}
