import type { epicIssuesContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { assignIssue, moveIssueInEpic, removeEpicIssue } from './epic-issue.service.ts'
import { listIssuesOfEpic, viewEpicIssueLink } from './epic-issue-views.service.ts'

export const epicIssueHandlers: Handlers<typeof epicIssuesContract> = {
  async list({ app, caller, subject, query, page }) {
    return listIssuesOfEpic(app, caller, subject, query, page)
  },

  async assign({ app, caller, subject, params }) {
    const linked = await assignIssue(app, caller, subject, params.issue_id)
    return viewEpicIssueLink(app, caller, subject, linked)
  },

  async move({ app, caller, subject, params, body }) {
    await moveIssueInEpic(app, caller, subject, params.epic_issue_id, body)
    const page = await listIssuesOfEpic(app, caller, subject, {}, { page: 1, perPage: 100 })
    return page.items
  },

  async remove({ app, caller, subject, params }) {
    const linked = await removeEpicIssue(app, caller, subject, params.epic_issue_id)
    return viewEpicIssueLink(app, caller, subject, linked)
  },
}
