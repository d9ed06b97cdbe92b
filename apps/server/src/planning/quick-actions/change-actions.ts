import {
  isWorkInProgress,
  maxWeight,
  parseDay,
  withoutWorkInProgress,
  withWorkInProgress,
  workItemErrors,
} from '@stithy/core'
import { dayOf } from '../../platform/calendar/day.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { ItemChange } from '../items/changes/item-change.ts'
import { isStored } from '../items/item.ts'
import { loadLabels } from '../labels/labelling.service.ts'
import { findUsableMilestone } from '../milestones/milestone-views.service.ts'
import {
  knownLabels,
  resolveItems,
  resolveLabelTitles,
  resolveMilestone,
  resolveUsers,
} from './action-arguments.ts'
import type { CommandContext } from './action-context.ts'

/** Handles a command; false if it has no effect, which is not an error. */
export type CommandHandler = (
  context: CommandContext,
  argument: string,
) => Promise<boolean> | boolean

/** Merges into the accumulated change; later commands override earlier ones. */
function change(context: CommandContext, more: ItemChange): true {
  Object.assign(context.change, more)
  return true
}

export const close: CommandHandler = (context) =>
  context.item.row.state === 'opened' && change(context, { stateEvent: 'close' })

export const reopen: CommandHandler = async (context) => {
  return (await isReopenable(context)) && change(context, { stateEvent: 'reopen' })
}

async function isReopenable({ app, item }: CommandContext): Promise<boolean> {
  if (item.type === 'epic') return item.row.state === 'closed'
  if (item.type === 'issue') return item.row.state === 'closed' && item.row.discussionLocked !== 1
  if (!isStored(item)) return false
  const change: ItemChange = { stateEvent: 'reopen' }
  return (await app.mergeRequests.possibleEvent(app, item, change)) !== undefined
}

export const title: CommandHandler = (context, argument) =>
  workItemErrors({ title: argument }) === undefined && change(context, { title: argument })

export const makeConfidential: CommandHandler = (context) => change(context, { confidential: true })

export const lock: CommandHandler = (context) => change(context, { discussionLocked: true })

export const unlock: CommandHandler = (context) => change(context, { discussionLocked: false })

export const due: CommandHandler = (context, argument) => {
  const dueDate = parseDay(argument, dayOf(context.app.now()))
  return dueDate !== undefined && change(context, { dueDate })
}

export const removeDueDate: CommandHandler = (context) => change(context, { dueDate: null })

export const weight: CommandHandler = (context, argument) => {
  if (!/^\d{1,10}$/.test(argument) || Number(argument) > maxWeight) return false
  return change(context, { weight: Number(argument) })
}

export const clearWeight: CommandHandler = (context) => change(context, { weight: null })

export const milestone: CommandHandler = async (context, argument) => {
  if (argument === '') return false
  const found = await resolveMilestone(context, argument)
  return found !== undefined && change(context, { milestoneId: found.id })
}

export const removeMilestone: CommandHandler = (context) => change(context, { milestoneId: null })

/** Adds assignees; in a tier with a single assignee, the first user replaces the current one. */
export const assign: CommandHandler = async (context, argument) => {
  const ids = await resolveUsers(context, argument)
  if (ids.length === 0) return false
  if (!tierAllows(context.app.config.tier, 'premium')) {
    return change(context, { assigneeIds: ids.slice(0, 1), addAssigneeIds: [] })
  }
  const { addAssigneeIds = [], removeAssigneeIds = [] } = context.change
  return change(context, {
    addAssigneeIds: [...new Set([...addAssigneeIds, ...ids])],
    removeAssigneeIds: removeAssigneeIds.filter((id) => !ids.includes(id)),
  })
}

/** Removes the given assignees or, without an argument, all of them. */
export const unassign: CommandHandler = async (context, argument) => {
  if (argument === '') {
    return change(context, { assigneeIds: [], addAssigneeIds: [], removeAssigneeIds: [] })
  }
  const ids = await resolveUsers(context, argument)
  const { addAssigneeIds = [], removeAssigneeIds = [] } = context.change
  if (ids.length === 0) return false
  return change(context, {
    addAssigneeIds: addAssigneeIds.filter((id) => !ids.includes(id)),
    removeAssigneeIds: [...removeAssigneeIds, ...ids],
  })
}

export const reassign: CommandHandler = async (context, argument) => {
  const ids = await resolveUsers(context, argument)
  if (ids.length === 0) return false
  return change(context, { assigneeIds: ids, addAssigneeIds: [], removeAssigneeIds: [] })
}

export const label: CommandHandler = async (context, argument) => {
  const names = await resolveLabelTitles(context, argument)
  return names.length > 0 && addLabels(context, names)
}

function addLabels(context: CommandContext, names: readonly string[]): true {
  const { addLabelNames = [], removeLabelNames = [] } = context.change
  return change(context, {
    addLabelNames: [...addLabelNames, ...names],
    removeLabelNames: removeLabelNames.filter((name) => !names.includes(name)),
  })
}

/** Removes the given labels or, without an argument, all of them. */
export const unlabel: CommandHandler = async (context, argument) => {
  if (argument === '') {
    return change(context, { labelNames: [], addLabelNames: [], removeLabelNames: [] })
  }
  const names = await resolveLabelTitles(context, argument)
  const { addLabelNames = [], removeLabelNames = [] } = context.change
  if (names.length === 0) return false
  return change(context, {
    addLabelNames: addLabelNames.filter((name) => !names.includes(name)),
    removeLabelNames: [...removeLabelNames, ...names],
  })
}

export const relabel: CommandHandler = async (context, argument) => {
  const names = await resolveLabelTitles(context, argument)
  if (names.length === 0) return false
  return change(context, { labelNames: names, addLabelNames: [], removeLabelNames: [] })
}

/**
 * Copies the labels of another item, in addition to the own ones, and its milestone if it has one.
 * From another project, only labels and milestones that this project also has are copied.
 */
export const copyMetadata: CommandHandler = async (context, argument) => {
  const { app, item } = context
  const [source] = await resolveItems(context, argument)
  if (source === undefined || item.type === 'epic') return false
  const labels = await loadLabels(app, source.type, [source.row.id])
  const names = (labels.get(source.row.id) ?? []).map(({ name }) => name)
  const existing = await knownLabels(context, names)
  const id = source.row.milestoneId
  const found = id === null ? undefined : await findUsableMilestone(app, item.project, { id })
  if (found !== undefined) change(context, { milestoneId: found.id })
  if (existing.length > 0) addLabels(context, existing)
  return existing.length > 0 || found !== undefined
}

export const targetBranch: CommandHandler = async (context, argument) => {
  const { app, item } = context
  if (argument === '' || item.type !== 'merge_request') return false
  const isPossible = await app.mergeRequests.canRetarget(app, item, argument)
  return isPossible && change(context, { targetBranch: argument })
}

/** Toggles the work-in-progress prefix of a merge request's title. */
export const toggleWorkInProgress: CommandHandler = (context) => {
  const current = context.change.title ?? context.item.row.title
  const next = isWorkInProgress(current)
    ? withoutWorkInProgress(current)
    : withWorkInProgress(current)
  return workItemErrors({ title: next }) === undefined && change(context, { title: next })
}
