import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { BodiesQuery } from '../../platform/contract/listed-bodies.ts'
import { filePathText, noteText } from '../../platform/contract/text-options.ts'
import { CommitComment } from './commit-comment.schema.ts'

const path = '/projects/:id/repository/commits/:sha/comments'

/** Comments on commits. */
export const commitCommentsContract = {
  list: endpoint({
    name: 'commits.comments.list',
    method: 'GET',
    path,
    query: BodiesQuery,
    paginated: true,
    response: { 200: z.array(CommitComment) },
    auth: { on: 'project', ability: 'read_code', anonymous: true },
    errors: ['not_found'],
    docs: { summary: 'List comments on a commit', description: 'Oldest first.' },
  }),
  create: endpoint({
    name: 'commits.comments.create',
    method: 'POST',
    path,
    body: z.object({
      note: nonEmptyText(noteText),
      ...optional({ path: text(filePathText), line: integer() }),
      line_type: oneOf(['new', 'old']).default('new'),
    }),
    constraints: [{ dependent: ['path', 'line'] }],
    response: { 201: CommitComment },
    auth: { on: 'project', ability: 'comment_on_commit' },
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Create a comment on a commit',
      description:
        '`path` and `line` comment on a line of the diff. If the diff has no such line, the comment ' +
        'is on the commit itself, and `path`, `line` and `line_type` are null in the response.',
    },
  }),
}
