import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, nonEmptyText, optional, text } from '../../platform/contract/fields.ts'
import { branchText } from '../../platform/contract/ref-names.ts'
import { fullPathText } from '../../platform/contract/text-options.ts'
import { CommitDetail } from './commit.schema.ts'
import { CommitActions, commitMessage, filesBodyLimit } from './commit-action.schema.ts'

const auth = { on: 'project', ability: 'push_to_branch' } as const

/** The endpoints that create commits. */
export const commitWriteEndpoints = {
  create: endpoint({
    name: 'commits.create',
    method: 'POST',
    path: '/projects/:id/repository/commits',
    body: z.object({
      branch: nonEmptyText(branchText),
      commit_message: commitMessage(),
      actions: CommitActions,
      ...optional({
        start_branch: text(branchText),
        start_project: text(fullPathText),
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
      summary: 'Create a commit with multiple files and actions',
      description:
        'The actions are applied in order, all or none. `start_branch` creates the branch ' +
        'from another one; `force` moves an existing branch to the new commit.',
    },
  }),
  cherryPick: endpoint({
    name: 'commits.cherryPick',
    method: 'POST',
    path: '/projects/:id/repository/commits/:sha/cherry_pick',
    body: z.object({ branch: nonEmptyText() }),
    response: { 201: CommitDetail },
    auth,
    errors: ['bad_request', 'forbidden', 'not_found'],
    docs: {
      summary: 'Cherry-pick a commit onto a branch',
      description: 'Of a merge commit, the changes against its first parent are picked.',
    },
  }),
  revert: endpoint({
    name: 'commits.revert',
    method: 'POST',
    path: '/projects/:id/repository/commits/:sha/revert',
    body: z.object({ branch: nonEmptyText() }),
    response: { 201: CommitDetail },
    auth,
    errors: ['bad_request', 'forbidden', 'not_found'],
    docs: {
      summary: 'Revert a commit on a branch',
      description: 'Of a merge commit, the changes against its first parent are reverted.',
    },
  }),
}
