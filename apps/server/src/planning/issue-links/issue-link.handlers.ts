import type { issueLinksContract } from '@stithy/core'
import { requireProject } from '../../directory/projects/project-subject.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireIssue } from '../issues/issue-subject.ts'
import { linkIssues, relatedIssues, unlinkIssue, viewLink } from './issue-link.service.ts'

export const issueLinksHandlers: Handlers<typeof issueLinksContract> = {
  async list({ app, caller, subject, query, page }) {
    return relatedIssues(app, caller, subject, query, page)
  },

  async create({ app, caller, subject, body }) {
    const project = await requireProject(app, body.target_project_id, caller)
    const target = await requireIssue(app, caller, project, body.target_issue_iid)
    await linkIssues(app, caller, subject, target)
    return viewLink(app, caller, subject, target)
  },

  async remove({ app, caller, subject, params }) {
    const target = await unlinkIssue(app, caller, subject, params.issue_link_id)
    return viewLink(app, caller, subject, target)
  },
}
