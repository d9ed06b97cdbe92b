import type { milestonesContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { createOne, listPage, showOne, updateOne } from './milestone-calls.ts'
import {
  burndownOfMilestone,
  issuesOfMilestone,
  mergeRequestsOfMilestone,
} from './milestone-contents.service.ts'
import { projectPlace, requireMilestone } from './milestone-found.ts'
import { promoteMilestone } from './milestone-promotion.service.ts'
import { removeMilestone } from './milestone-removal.service.ts'

export const milestoneHandlers: Handlers<typeof milestonesContract> = {
  async list({ app, caller, subject, query, page }) {
    return listPage({ app, caller, place: projectPlace(subject) }, query, page)
  },

  async show({ app, caller, subject, params }) {
    return showOne({ app, caller, place: projectPlace(subject) }, params.milestone_id)
  },

  async create({ app, caller, subject, body }) {
    return createOne({ app, caller, place: projectPlace(subject) }, body)
  },

  async update({ app, caller, subject, params, body }) {
    return updateOne({ app, caller, place: projectPlace(subject) }, params.milestone_id, body)
  },

  async remove({ app, caller, subject, params }) {
    const milestone = await requireMilestone(app, projectPlace(subject), params.milestone_id)
    await removeMilestone(app, caller, milestone)
  },

  async listIssues({ app, caller, subject, params, page }) {
    const milestone = await requireMilestone(app, projectPlace(subject), params.milestone_id)
    return issuesOfMilestone(app, caller, milestone, page)
  },

  async listMergeRequests({ app, caller, subject, params, page }) {
    const milestone = await requireMilestone(app, projectPlace(subject), params.milestone_id)
    return mergeRequestsOfMilestone(app, caller, milestone, page)
  },

  async listBurndownEvents({ app, caller, subject, params, page }) {
    const milestone = await requireMilestone(app, projectPlace(subject), params.milestone_id)
    return burndownOfMilestone(app, caller, milestone, page)
  },

  async promote({ app, caller, subject, params }) {
    const milestone = await requireMilestone(app, projectPlace(subject), params.milestone_id)
    await promoteMilestone(app, caller, subject, milestone)
  },
}
