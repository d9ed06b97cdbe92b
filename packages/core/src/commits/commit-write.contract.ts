import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, filledText, optional, text } from '../contract/fields.ts'
import { CommitDetail } from './commit.schema.ts'
import { CommitActions, commitMessage, filesBodyLimit } from './commit-action.schema.ts'

const tag = 'Commits'
const auth = { on: 'project', ability: 'push_code' } as const

/** Document 2, Commits: what writes; catalogue: repository, 3. */
export const commitWriteEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/commits',
    body: z.object({
      branch: filledText(),
      commit_message: commitMessage(),
      actions: CommitActions,
      ...optional({
        start_branch: text(),
        start_project: text(),
        author_email: text(),
        author_name: text(),
      }),
      stats: boolean().default(true),
      force: boolean().default(false),
    }),
    bodyLimit: filesBodyLimit,
    response: { 201: CommitDetail },
    auth,
    errors: ['bad_request', 'forbidden', 'not_found', 'payload_too_large'],
    docs: {
      summary: 'Create a commit with several files and actions',
      tag,
      description:
        'The actions apply in their order, all or none. `start_branch` makes a new branch from another; `force` moves an existing one to the new commit.',
    },
  }),
  cherryPick: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/commits/:sha/cherry_pick',
    body: z.object({ branch: filledText() }),
    response: { 201: CommitDetail },
    auth,
    errors: ['bad_request', 'forbidden', 'not_found'],
    docs: {
      summary: 'Pick a commit to a branch',
      tag,
      description: 'A merge commit is picked against its first parent.',
    },
  }),
  revert: endpoint({
    method: 'POST',
    path: '/projects/:id/repository/commits/:sha/revert',
    body: z.object({ branch: filledText() }),
    response: { 201: CommitDetail },
    auth,
    errors: ['bad_request', 'forbidden', 'not_found'],
    docs: {
      summary: 'Revert a commit on a branch',
      tag,
      description: 'A merge commit is reverted to its first parent.',
    },
  }),
}
