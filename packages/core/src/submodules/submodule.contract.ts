import { z } from 'zod'
import { CommitDetail } from '../commits/commit.schema.ts'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, text } from '../contract/fields.ts'

/** Catalogue: repository, 10. */
export const submodulesContract = {
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/repository/submodules/:submodule',
    body: z.object({
      branch: filledText(),
      commit_sha: filledText(),
      commit_message: text().optional(),
    }),
    response: { 200: CommitDetail },
    auth: { on: 'project', ability: 'push_code' },
    errors: ['bad_request'],
    docs: {
      summary: 'Point a submodule at another commit',
      tag: 'Submodules',
      description: '`commit_sha` is a full hash; without `commit_message` one is made.',
    },
  }),
}
