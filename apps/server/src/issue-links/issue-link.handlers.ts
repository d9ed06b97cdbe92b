import type { issueLinksContract } from '@stithy/core'
import { requireProject } from '../http/authorize.ts'
import type { Handlers } from '../http/call.ts'
import { requireIssue } from '../issues/issue-found.ts'
import { linkIssues, relatedIssues, unlinkIssue, viewLink } from './issue-link.service.ts'

export const issueLinksHandlers: Handlers<typeof issueLinksContract> = {
  async list({ app, caller, subject, params, page }) {
    const issue = await requireIssue(app, caller, subject, params.issue_iid)
    return relatedIssues(app, caller, issue, page)
  },

  async create({ app, caller, subject, params, body }) {
    const source = await requireIssue(app, caller, subject, params.issue_iid)
    const project = await requireProject(app, body.target_project_id, caller)
    const target = await requireIssue(app, caller, project, body.target_issue_iid)
    await linkIssues(app, caller, source, target)
    return viewLink(app, caller, source, target)
  },

  async remove({ app, caller, subject, params }) {
    const source = await requireIssue(app, caller, subject, params.issue_iid)
    const target = await unlinkIssue(app, caller, source, params.issue_link_id)
    return viewLink(app, caller, source, target)
  },
}
