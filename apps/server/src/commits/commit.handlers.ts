import type { commitsContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { presentCommitDetail, presentCommits, presentDiff } from './commit.presenter.ts'
import { findCommits } from './commit.service.ts'
import { listChanges, listContainingRefs, showCommit } from './commit-changes.service.ts'

export const commitHandlers: Handlers<typeof commitsContract> = {
  async list({ app, subject, query, page }) {
    const found = await findCommits(app, subject.row, query, page)
    return { ...found, items: presentCommits(found.items) }
  },

  async show({ app, subject, params, query }) {
    const commit = await showCommit(app, subject.row, params.sha, query.stats)
    return presentCommitDetail(commit, subject.row.id)
  },

  async diff({ app, subject, params, page, signal }) {
    const found = await listChanges(app, subject.row, params.sha, page, signal)
    return { ...found, items: presentDiff(found.items) }
  },

  async refs({ app, subject, params, query, page }) {
    return listContainingRefs(app, subject.row, { sha: params.sha, type: query.type }, page)
  },
}
