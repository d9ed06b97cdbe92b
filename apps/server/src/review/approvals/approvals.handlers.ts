import type { approvalsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import {
  changeProjectApprovals,
  setApprovalsRequired,
  setApprovers,
} from './approval-settings.service.ts'
import { viewApprovalState, viewApprovals, viewProjectApprovals } from './approval-views.service.ts'
import { approve, unapprove } from './approve.service.ts'
import type { RequestedApprovers } from './approver-lists.service.ts'

interface ListedBody {
  approver_ids: number[]
  approver_group_ids: number[]
  remove_hidden_groups?: boolean | undefined
}

function listedIn(body: ListedBody): RequestedApprovers {
  return {
    userIds: body.approver_ids,
    groupIds: body.approver_group_ids,
    removeHiddenGroups: body.remove_hidden_groups,
  }
}

export const approvalsHandlers: Handlers<typeof approvalsContract> = {
  async showOfProject({ app, caller, subject }) {
    return viewProjectApprovals(app, caller, subject)
  },

  async updateOfProject({ app, caller, subject, body }) {
    await changeProjectApprovals(app, subject, body)
    return viewProjectApprovals(app, caller, subject)
  },

  async setApproversOfProject({ app, caller, subject: project, body }) {
    await setApprovers(app, caller, { project }, listedIn(body))
    return viewProjectApprovals(app, caller, project)
  },

  async show({ app, caller, subject }) {
    return viewApprovals(app, caller, subject)
  },

  async update({ app, caller, subject, body }) {
    const changed = await setApprovalsRequired(app, subject, body.approvals_required)
    return viewApprovals(app, caller, changed)
  },

  async setApprovers({ app, caller, subject: item, body }) {
    await setApprovers(app, caller, { project: item.project, item }, listedIn(body))
    return viewApprovals(app, caller, item)
  },

  async approve({ app, caller, subject, body, signal }) {
    const { sha, approval_password: password } = body
    const approved = await approve(app, caller, subject, {
      sha: sha || undefined,
      password: password ? { text: password, signal: signal() } : undefined,
    })
    return viewApprovals(app, caller, approved)
  },

  async unapprove({ app, caller, subject }) {
    return viewApprovals(app, caller, await unapprove(app, caller, subject))
  },

  async showState({ app, caller, subject }) {
    return viewApprovalState(app, caller, subject)
  },
}
