import { decideOnProject, type issuesContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { changeBy } from '../items/changes/change-by.ts'
import { setItemSubscription } from '../items/item-subscription.service.ts'
import { markTodo } from '../todos/todo-mark.service.ts'
import { removeIssue } from './issue-delete.service.ts'
import { moveIssue } from './issue-move.service.ts'
import { reorderIssue } from './issue-order.service.ts'
import { changeOf } from './issue-parameters.ts'
import { updateIssue } from './issue-update.service.ts'
import { viewIssue } from './issue-views.service.ts'
import { openIssue } from './open/issue-open.service.ts'

export const issueHandlers: Handlers<typeof issuesContract> = {
  async show({ app, caller, subject, query }) {
    const options = { withLabelsDetails: query.with_labels_details }
    return viewIssue(app, caller, subject, options)
  },

  async create({ app, caller, subject, body }) {
    return viewIssue(app, caller, await openIssue(app, caller, subject, body))
  },

  async update({ app, caller, subject, body }) {
    const change = changeOf(body)
    const dated = decideOnProject('set_issue_dates', caller.facts, subject.project.facts).allowed
    const at = dated ? body.updated_at : undefined
    return viewIssue(app, caller, await updateIssue(app, caller, subject, change, { at }))
  },

  async remove({ app, caller, subject, headers }) {
    requireUnmodified(headers, subject.row.updatedAt)
    return removeIssue(app, changeBy(app, caller), subject)
  },

  async move({ app, caller, subject, body }) {
    return viewIssue(app, caller, await moveIssue(app, caller, subject, body.to_project_id))
  },

  async reorder({ app, caller, subject, body }) {
    await reorderIssue(app, caller, subject, body)
    return viewIssue(app, caller, subject)
  },

  async subscribe({ app, caller, subject }) {
    await setItemSubscription(app, caller, subject, true)
    return viewIssue(app, caller, subject)
  },

  async unsubscribe({ app, caller, subject }) {
    await setItemSubscription(app, caller, subject, false)
    return viewIssue(app, caller, subject)
  },

  async addTodo({ app, caller, subject }) {
    return markTodo(app, caller, subject)
  },
}
