import { decideOnProject, type issuesContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import { markTodo } from '../todos/todo-mark.service.ts'
import { requireIssue, requireIssueToUpdate } from './issue-found.ts'
import { moveIssue } from './issue-move.service.ts'
import { changeOf } from './issue-parameters.ts'
import { updateIssue } from './issue-update.service.ts'
import { viewIssue } from './issue-views.service.ts'
import { openIssue } from './open/issue-open.service.ts'
import { removeIssue } from './write/issue-delete.service.ts'
import { chooseIssueSubscription } from './write/issue-subscription.service.ts'

export const issueHandlers: Handlers<typeof issuesContract> = {
  async show({ app, caller, subject, params }) {
    const item = await requireIssue(app, caller, subject, params.issue_iid)
    return viewIssue(app, caller, item)
  },

  async create({ app, caller, subject, body }) {
    return viewIssue(app, caller, await openIssue(app, caller, subject, body))
  },

  async update({ app, caller, subject, params, body, sent }) {
    const item = await requireIssueToUpdate(app, caller, subject, params.issue_iid)
    const change = changeOf(body, sent)
    const dated = decideOnProject('set_issue_dates', caller.facts, subject.facts).allowed
    const at = dated ? body.updated_at : undefined
    return viewIssue(app, caller, await updateIssue(app, caller, item, change, { at }))
  },

  async remove({ app, caller, subject, params, headers }) {
    const item = await requireIssue(app, caller, subject, params.issue_iid)
    requireUnmodified(headers, item.row.updatedAt)
    return removeIssue(app, item)
  },

  async move({ app, caller, subject, params, body }) {
    const item = await requireIssue(app, caller, subject, params.issue_iid)
    return viewIssue(app, caller, await moveIssue(app, caller, item, body.to_project_id))
  },

  async subscribe({ app, caller, subject, params }) {
    const item = await requireIssue(app, caller, subject, params.issue_iid)
    await chooseIssueSubscription(app, caller, item, true)
    return viewIssue(app, caller, item)
  },

  async unsubscribe({ app, caller, subject, params }) {
    const item = await requireIssue(app, caller, subject, params.issue_iid)
    await chooseIssueSubscription(app, caller, item, false)
    return viewIssue(app, caller, item)
  },

  async addTodo({ app, caller, subject, params }) {
    return markTodo(app, caller, await requireIssue(app, caller, subject, params.issue_iid))
  },
}
