import type { mergeRequestVersionsContract } from '@stithy/core'
import { sendRawDiff } from '../../code/commits/raw-diff.service.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { viewMergeRequest } from './read/merge-request-detail.service.ts'
import {
  diffOfMergeRequest,
  listDiffs,
  listMergeRequestCommits,
  listMergeRequestVersions,
  showVersion,
} from './read/merge-request-diff.service.ts'

export const mergeRequestVersionHandlers: Handlers<typeof mergeRequestVersionsContract> = {
  async listCommits({ app, subject, page }) {
    return listMergeRequestCommits(app, subject, page)
  },

  async showChanges({ app, caller, subject, signal }) {
    const changes = await diffOfMergeRequest(app, subject, signal())
    const view = await viewMergeRequest(app, caller, subject)
    return { ...view, changes, overflow: view.changes_count.endsWith('+') }
  },

  async listDiffs({ app, subject, query, page, signal }) {
    return listDiffs(app, subject, query, page, signal())
  },

  async rawDiff(call) {
    const { project, row } = call.subject
    const { baseSha: from, headSha: to } = row
    return sendRawDiff({ ...call, project: project.row }, { from: from ?? undefined, to })
  },

  async list({ app, subject, page }) {
    return listMergeRequestVersions(app, subject, page)
  },

  async show({ app, subject, params, signal }) {
    return showVersion(app, subject, params.version_id, signal())
  },
}
