import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, integer, oneOf, optional, text } from '../contract/fields.ts'
import { CommitComment } from './commit-comment.schema.ts'

const tag = 'Commits'
const path = '/projects/:id/repository/commits/:sha/comments'

/** Document 2, Commits; catalogue: repository, 3. */
export const commitCommentsContract = {
  list: endpoint({
    method: 'GET',
    path,
    paginated: true,
    response: { 200: z.array(CommitComment) },
    auth: { on: 'project', ability: 'read_code', anonymous: true },
    errors: ['not_found'],
    docs: { summary: 'List the comments on a commit, oldest first', tag },
  }),
  create: endpoint({
    method: 'POST',
    path,
    body: z.object({
      note: filledText(),
      ...optional({ path: text(), line: integer() }),
      line_type: oneOf(['new', 'old']).default('new'),
    }),
    response: { 201: CommitComment },
    auth: { on: 'project', ability: 'comment_on_commit' },
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Comment on a commit, or on a line that it shows',
      tag,
      description:
        '`path` needs `line`. Where the diff of the commit has no such file or line, the comment stands ' +
        'below the commit, and `path`, `line` and `line_type` come back null.',
    },
  }),
}
