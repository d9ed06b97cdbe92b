import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, text } from '../../platform/contract/fields.ts'
import { maxProseLength } from '../../platform/contract/text-options.ts'
import { CommitDetail } from '../commits/commit.schema.ts'

/** Submodules of a repository. */
export const submodulesContract = {
  update: endpoint({
    name: 'repository.submodules.update',
    method: 'PUT',
    path: '/projects/:id/repository/submodules/:submodule',
    body: z.object({
      branch: nonEmptyText(),
      commit_sha: nonEmptyText(),
      commit_message: text({ max: maxProseLength }).optional(),
    }),
    response: { 200: CommitDetail },
    auth: { on: 'project', ability: 'push_to_branch' },
    errors: ['bad_request'],
    docs: {
      summary: 'Update a submodule reference',
      description: '`commit_sha` is a full hash. `commit_message` has a default.',
    },
  }),
}
