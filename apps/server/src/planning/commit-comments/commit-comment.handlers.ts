import type { commitCommentsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { commentOnCommit, commentsOfCommit } from './commit-comment.service.ts'

export const commitCommentHandlers: Handlers<typeof commitCommentsContract> = {
  list: ({ app, caller, subject, params, query, page }) =>
    commentsOfCommit(app, subject, caller.facts, params.sha, query, page),

  create: ({ app, caller, subject, params, body, signal }) =>
    commentOnCommit(app, caller, subject, params.sha, body, signal()),
}
