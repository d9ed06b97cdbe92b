import { z } from 'zod'
import { decimal } from '../../platform/contract/decimal-field.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  integer,
  oneOf,
  optional,
  type TextOptions,
  text,
} from '../../platform/contract/fields.ts'
import { fullRefText } from '../../platform/contract/ref-names.ts'
import { maxNameLength, shortText } from '../../platform/contract/text-options.ts'
import { webUrlPattern } from '../../platform/contract/web-urls.ts'
import { reportedStates } from './commit-status.rules.ts'
import { CommitStatus } from './commit-status.schema.ts'

/** The page of a status; blank for none. */
const statusUrl: TextOptions = {
  rules: { maxLength: maxNameLength, pattern: `^$|${webUrlPattern}` },
}

/** Statuses of commits. */
export const commitStatusesContract = {
  list: endpoint({
    name: 'commits.statuses.list',
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/statuses',
    query: z.object(optional({ ref: text(), stage: text(), name: text(), all: boolean() })),
    paginated: true,
    response: { 200: z.array(CommitStatus) },
    auth: { on: 'project', ability: 'read_commit_status' },
    errors: ['not_found'],
    docs: {
      summary: 'List statuses of a commit',
      description: 'Only the latest status of each name in each pipeline, unless `all` is true.',
    },
  }),
  report: endpoint({
    name: 'commits.statuses.create',
    method: 'POST',
    path: '/projects/:id/statuses/:sha',
    aliases: ['/projects/:id/repository/commits/:sha/statuses'],
    body: z.object({
      state: oneOf(reportedStates),
      ...optional({
        ref: text(fullRefText),
        name: text(shortText),
        context: text(shortText),
        target_url: text(statusUrl),
        description: text(shortText),
        coverage: decimal(),
        pipeline_id: integer({ min: 1 }),
      }),
    }),
    response: { 201: CommitStatus },
    auth: { on: 'project', ability: 'create_commit_status' },
    errors: ['not_found', 'bad_request', 'validation_failed'],
    docs: {
      summary: 'Set the status of a commit',
      description:
        '`ref` defaults to the first branch that contains the commit. The status belongs to ' +
        'the latest pipeline of the commit on that ref, which is created if there is none.',
    },
  }),
}
