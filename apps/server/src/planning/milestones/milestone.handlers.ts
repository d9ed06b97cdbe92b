import type { groupMilestonesContract, milestonesContract } from '@stithy/core'
import { listMilestones } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { onParent, type ParentHandlers } from '../../platform/http/parent-handlers.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { withDescriptions } from '../items/lists/listed-descriptions.ts'
import { presentMilestone, presentMilestones } from './milestone.presenter.ts'
import { changeMilestone, createMilestone, type MilestoneInput } from './milestone.service.ts'
import { burndownOfMilestone, issuesOfMilestone } from './milestone-contents.service.ts'
import {
  groupParent,
  type MilestoneParent,
  projectParent,
  requireMilestone,
} from './milestone-parent.ts'
import { promoteMilestone } from './milestone-promotion.service.ts'
import { removeMilestone } from './milestone-removal.service.ts'

interface MilestoneBody {
  title?: string | undefined
  description?: string | undefined
  start_date?: string | null | undefined
  due_date?: string | null | undefined
}

function toInput({ title, description, start_date, due_date }: MilestoneBody): MilestoneInput {
  return { title, description, startDate: start_date, dueDate: due_date }
}

const handlers: ParentHandlers<typeof groupMilestonesContract, MilestoneParent> = {
  async list({ app, parent, query, page }) {
    const { state, max_description_length: maxLength, ...filters } = query
    const filter = { ...filters, state: state === 'all' ? undefined : state }
    const found = await listMilestones(app.db, parent, filter, page)
    const owned = found.items.map((row) => ({ ...row, ownerFullPath: parent.fullPath }))
    const rows = withDescriptions(app, 'milestones', owned, maxLength)
    return { ...found, items: presentMilestones(app.config, rows) }
  },

  async show({ app, parent, params }) {
    return presentMilestone(app.config, await requireMilestone(app, parent, params.milestone_id))
  },

  async create({ app, caller, parent, body }) {
    const input = { ...toInput(body), title: body.title }
    const row = await createMilestone(app, parent, requireCaller(caller).id, input)
    return presentMilestone(app.config, row)
  },

  async update({ app, caller, parent, params, body }) {
    const milestone = await requireMilestone(app, parent, params.milestone_id)
    const change = { milestone, userId: requireCaller(caller).id, stateEvent: body.state_event }
    return presentMilestone(app.config, await changeMilestone(app, parent, change, toInput(body)))
  },

  async remove({ app, caller, parent, params, headers }) {
    const milestone = await requireMilestone(app, parent, params.milestone_id)
    requireUnmodified(headers, milestone.updatedAt)
    await removeMilestone(app, caller, milestone)
  },

  async listIssues({ app, caller, parent, params, query, page }) {
    const milestone = await requireMilestone(app, parent, params.milestone_id)
    return issuesOfMilestone(app, caller, milestone, query, page)
  },

  async listMergeRequests({ app, caller, parent, params, query, page }) {
    const milestone = await requireMilestone(app, parent, params.milestone_id)
    return app.mergeRequests.listOfMilestone(app, caller, milestone.id, query, page)
  },

  async listBurndownEvents({ app, caller, parent, params, page }) {
    const milestone = await requireMilestone(app, parent, params.milestone_id)
    return burndownOfMilestone(app, caller, milestone, page)
  },
}

export const milestoneHandlers: Handlers<typeof milestonesContract> = {
  ...onParent(handlers, projectParent),

  async promote({ app, caller, subject, params }) {
    const milestone = await requireMilestone(app, projectParent(subject), params.milestone_id)
    await promoteMilestone(app, caller, subject, milestone)
  },
}

export const groupMilestoneHandlers: Handlers<typeof groupMilestonesContract> = onParent(
  handlers,
  groupParent,
)
