import type { groupMilestonesContract, milestonesContract } from '@stithy/core'
import { listMilestones } from '@stithy/store'
import type { Handlers } from '../http/call.ts'
import { onPlace, type PlacedHandlers } from '../http/placed-handlers.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { presentMilestone, presentMilestones } from './milestone.presenter.ts'
import { changeMilestone, createMilestone, type MilestoneInput } from './milestone.service.ts'
import {
  burndownOfMilestone,
  issuesOfMilestone,
  mergeRequestsOfMilestone,
} from './milestone-contents.service.ts'
import {
  groupPlace,
  type MilestonePlace,
  projectPlace,
  requireMilestone,
} from './milestone-found.ts'
import { promoteMilestone } from './milestone-promotion.service.ts'
import { removeMilestone } from './milestone-removal.service.ts'

interface Sent {
  title?: string | undefined
  description?: string | undefined
  start_date?: string | null | undefined
  due_date?: string | null | undefined
}

function toInput({ title, description, start_date, due_date }: Sent): MilestoneInput {
  return { title, description, startDate: start_date, dueDate: due_date }
}

const handlers: PlacedHandlers<typeof groupMilestonesContract, MilestonePlace> = {
  async list({ app, place, query, page }) {
    const { state, ...filters } = query
    const filter = { ...filters, state: state === 'all' ? undefined : state }
    const found = await listMilestones(app.db, place, filter, page)
    const rows = found.items.map((row) => ({ ...row, ownerFullPath: place.fullPath }))
    return { ...found, items: presentMilestones(app.config, rows) }
  },

  async show({ app, place, params }) {
    return presentMilestone(app.config, await requireMilestone(app, place, params.milestone_id))
  },

  async create({ app, caller, place, body }) {
    const input = { ...toInput(body), title: body.title }
    const row = await createMilestone(app, place, requireCaller(caller).id, input)
    return presentMilestone(app.config, row)
  },

  async update({ app, caller, place, params, body }) {
    const milestone = await requireMilestone(app, place, params.milestone_id)
    const change = { milestone, userId: requireCaller(caller).id, stateEvent: body.state_event }
    return presentMilestone(app.config, await changeMilestone(app, place, change, toInput(body)))
  },

  async remove({ app, caller, place, params, headers }) {
    const milestone = await requireMilestone(app, place, params.milestone_id)
    requireUnmodified(headers, milestone.updatedAt)
    await removeMilestone(app, caller, milestone)
  },

  async listIssues({ app, caller, place, params, page }) {
    const milestone = await requireMilestone(app, place, params.milestone_id)
    return issuesOfMilestone(app, caller, milestone, page)
  },

  async listMergeRequests({ app, caller, place, params, page }) {
    const milestone = await requireMilestone(app, place, params.milestone_id)
    return mergeRequestsOfMilestone(app, caller, milestone, page)
  },

  async listBurndownEvents({ app, caller, place, params, page }) {
    const milestone = await requireMilestone(app, place, params.milestone_id)
    return burndownOfMilestone(app, caller, milestone, page)
  },
}

export const milestoneHandlers: Handlers<typeof milestonesContract> = {
  ...onPlace(handlers, projectPlace),

  async promote({ app, caller, subject, params }) {
    const milestone = await requireMilestone(app, projectPlace(subject), params.milestone_id)
    await promoteMilestone(app, caller, subject, milestone)
  },
}

export const groupMilestoneHandlers: Handlers<typeof groupMilestonesContract> = onPlace(
  handlers,
  groupPlace,
)
