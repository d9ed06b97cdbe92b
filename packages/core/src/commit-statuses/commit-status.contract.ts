import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, decimal, integer, oneOf, optional, text } from '../contract/fields.ts'
import { reportedStates } from './commit-status.rules.ts'
import { CommitStatus } from './commit-status.schema.ts'

const tag = 'Commit statuses'

/** Catalogue: repository, 4. */
export const commitStatusesContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/statuses',
    query: z.object(optional({ ref: text(), stage: text(), name: text(), all: boolean() })),
    paginated: true,
    response: { 200: z.array(CommitStatus) },
    auth: { on: 'project', ability: 'read_commit_status' },
    errors: ['not_found'],
    docs: {
      summary: 'List the statuses of a commit',
      tag,
      description:
        'Only the newest status of each name in each pipeline is listed; `all` lists those before it too.',
    },
  }),
  report: endpoint({
    method: 'POST',
    path: '/projects/:id/statuses/:sha',
    aliases: ['/projects/:id/repository/commits/:sha/statuses'],
    body: z.object({
      state: oneOf(reportedStates),
      ...optional({
        ref: text(),
        name: text(),
        context: text(),
        target_url: text(),
        description: text(),
        coverage: decimal(),
        pipeline_id: integer({ min: 1 }),
      }),
    }),
    response: { 201: CommitStatus },
    auth: { on: 'project', ability: 'create_commit_status' },
    errors: ['not_found', 'bad_request', 'validation_failed'],
    docs: {
      summary: 'Report the status of a check of a commit',
      tag,
      description:
        'Without `ref` it is the first branch that contains the commit. The newest pipeline of the commit ' +
        'on that ref takes the status; where there is none, one is made.',
    },
  }),
}
