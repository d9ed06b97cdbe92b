import {
  type issueTimeContract,
  type mergeRequestTimeContract,
  parseDuration,
  validationFailed,
} from '@stithy/core'
import type { App } from '../app.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { requireIssue } from '../issues/issue-found.ts'
import { requireMergeRequest } from '../merge-requests/merge-request-found.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentTime } from './time-tracking.presenter.ts'
import { addSpentTime, resetSpentTime, setEstimate } from './time-tracking.service.ts'

interface Place {
  app: App
  caller: Caller
  subject: ProjectSubject
}

const issueToUpdate = ({ app, caller, subject }: Place, iid: number) =>
  requireIssue(app, caller, subject, iid, 'update_issue')

const mergeRequestToUpdate = ({ app, caller, subject }: Place, iid: number) =>
  requireMergeRequest(app, caller, subject, iid, 'update_merge_request')

/** The seconds of `duration`. @throws DomainError `validation_failed` */
function secondsOf(duration: string, field: string, least: number): number {
  const seconds = parseDuration(duration)
  if (seconds === undefined || seconds < least) {
    throw validationFailed({ [field]: ['has an invalid format'] })
  }
  return seconds
}

function estimateOf({ duration }: { duration: string }): number {
  return secondsOf(duration, 'time_estimate', 0)
}

function spentOf({ duration }: { duration: string }): number {
  return secondsOf(duration, 'time_spent', Number.NEGATIVE_INFINITY)
}

export const issueTimeHandlers: Handlers<typeof issueTimeContract> = {
  async show({ app, caller, subject, params }) {
    return presentTime((await requireIssue(app, caller, subject, params.issue_iid)).row)
  },

  async estimate(call) {
    const item = await issueToUpdate(call, call.params.issue_iid)
    return setEstimate(call.app, call.caller, item, estimateOf(call.body))
  },

  async resetEstimate(call) {
    const item = await issueToUpdate(call, call.params.issue_iid)
    return setEstimate(call.app, call.caller, item, 0)
  },

  async spend(call) {
    const item = await issueToUpdate(call, call.params.issue_iid)
    return addSpentTime(call.app, call.caller, item, spentOf(call.body))
  },

  async resetSpent(call) {
    const item = await issueToUpdate(call, call.params.issue_iid)
    return resetSpentTime(call.app, call.caller, item)
  },
}

export const mergeRequestTimeHandlers: Handlers<typeof mergeRequestTimeContract> = {
  async show({ app, caller, subject, params }) {
    const { row } = await requireMergeRequest(app, caller, subject, params.merge_request_iid)
    return presentTime(row)
  },

  async estimate(call) {
    const item = await mergeRequestToUpdate(call, call.params.merge_request_iid)
    return setEstimate(call.app, call.caller, item, estimateOf(call.body))
  },

  async resetEstimate(call) {
    const item = await mergeRequestToUpdate(call, call.params.merge_request_iid)
    return setEstimate(call.app, call.caller, item, 0)
  },

  async spend(call) {
    const item = await mergeRequestToUpdate(call, call.params.merge_request_iid)
    return addSpentTime(call.app, call.caller, item, spentOf(call.body))
  },

  async resetSpent(call) {
    const item = await mergeRequestToUpdate(call, call.params.merge_request_iid)
    return resetSpentTime(call.app, call.caller, item)
  },
}
