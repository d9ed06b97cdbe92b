import type { commitsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { presentCommits, presentDiff } from './commit.presenter.ts'
import { findCommits, requireCommit } from './commit.service.ts'
import { listChanges, listContainingRefs } from './commit-changes.service.ts'
import { verifyCommit } from './commit-signature.service.ts'
import { viewCommit } from './commit-view.service.ts'
import { sendRawDiff } from './raw-diff.service.ts'
import { commitWriteHandlers } from './writes/commit-write.handlers.ts'

export const commitHandlers: Handlers<typeof commitsContract> = {
  ...commitWriteHandlers,

  async list({ app, subject, query, page }) {
    const found = await findCommits(app, subject.row, query, page)
    return { ...found, items: presentCommits(found.items) }
  },

  async show({ app, caller, subject, params, query }) {
    return viewCommit(app, { subject, caller }, params.sha, query.stats)
  },

  async diff({ app, subject, params, page, signal }) {
    const found = await listChanges(app, subject.row, params.sha, page, signal())
    return { ...found, items: presentDiff(found.items) }
  },

  async rawDiff(call) {
    const project = call.subject.row
    const { oid, parents } = await requireCommit(call.app, project, call.params.sha)
    return sendRawDiff({ ...call, project }, { from: parents[0], to: oid })
  },

  async signature({ app, subject, params }) {
    return verifyCommit(app, subject.row, params.sha)
  },

  async refs({ app, subject, params, query, page }) {
    return listContainingRefs(app, subject.row, { sha: params.sha, type: query.type }, page)
  },
}
