import type { commitStatusesContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { loadStatusesPage, viewStatus } from './commit-status.service.ts'
import { reportStatus } from './status-report.service.ts'

export const commitStatusHandlers: Handlers<typeof commitStatusesContract> = {
  list: ({ app, subject, params, query, page }) =>
    loadStatusesPage(app, subject.row, params.sha, query, page),

  async report({ app, caller, subject, params, body }) {
    return viewStatus(app, await reportStatus(app, subject.row, caller, params.sha, body))
  },
}
