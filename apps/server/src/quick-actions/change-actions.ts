import {
  isWorkInProgress,
  maxWeight,
  parseDay,
  withoutWorkInProgress,
  withWorkInProgress,
  workItemErrors,
} from '@stithy/core'
import { tierAllows } from '../config/config.ts'
import { labelsOf } from '../labels/labelling.service.ts'
import { dayOf } from '../members/day.ts'
import { possibleEvent } from '../merge-requests/update/request-state.ts'
import { planRetarget } from '../merge-requests/update/retarget.service.ts'
import { findUsableMilestone } from '../milestones/milestone-views.service.ts'
import { itemsNamed, knownLabels, labelsNamed, milestoneNamed, usersNamed } from './action-names.ts'
import type { ItemChange, Reading } from './action-reading.ts'

/** Reads a command; false where it can do nothing, which is no error. */
export type ReadAction = (reading: Reading, argument: string) => Promise<boolean> | boolean

/** Adds to what the commands before have said; a later one wins. */
function change(reading: Reading, more: ItemChange): true {
  Object.assign(reading.change, more)
  return true
}

export const close: ReadAction = (reading) =>
  reading.item.row.state === 'opened' && change(reading, { stateEvent: 'close' })

export const reopen: ReadAction = async (reading) => {
  const { app, item } = reading
  const isPossible =
    item.type === 'issue'
      ? item.row.state === 'closed' && item.row.discussionLocked !== 1
      : (await possibleEvent(app, item, { stateEvent: 'reopen' })) === 'reopen'
  return isPossible && change(reading, { stateEvent: 'reopen' })
}

export const title: ReadAction = (reading, argument) =>
  workItemErrors({ title: argument }) === undefined && change(reading, { title: argument })

export const makeConfidential: ReadAction = (reading) => change(reading, { confidential: true })

export const lock: ReadAction = (reading) => change(reading, { discussionLocked: true })

export const unlock: ReadAction = (reading) => change(reading, { discussionLocked: false })

export const due: ReadAction = (reading, argument) => {
  const dueDate = parseDay(argument, dayOf(reading.app.now()))
  return dueDate !== undefined && change(reading, { dueDate })
}

export const removeDueDate: ReadAction = (reading) => change(reading, { dueDate: null })

export const weight: ReadAction = (reading, argument) => {
  if (!/^\d{1,10}$/.test(argument) || Number(argument) > maxWeight) return false
  return change(reading, { weight: Number(argument) })
}

export const clearWeight: ReadAction = (reading) => change(reading, { weight: null })

export const milestone: ReadAction = async (reading, argument) => {
  if (argument === '') return false
  const found = await milestoneNamed(reading, argument)
  return found !== undefined && change(reading, { milestoneId: found.id })
}

export const removeMilestone: ReadAction = (reading) => change(reading, { milestoneId: null })

/** Adds people; where a tier takes one assignee, that is the first one named. */
export const assign: ReadAction = async (reading, argument) => {
  const ids = await usersNamed(reading, argument)
  if (ids.length === 0) return false
  if (!tierAllows(reading.app.config.tier, 'premium')) {
    return change(reading, { assigneeIds: ids.slice(0, 1), addAssigneeIds: [] })
  }
  const { addAssigneeIds = [], removeAssigneeIds = [] } = reading.change
  return change(reading, {
    addAssigneeIds: [...new Set([...addAssigneeIds, ...ids])],
    removeAssigneeIds: removeAssigneeIds.filter((id) => !ids.includes(id)),
  })
}

/** Takes away those named or, without a name, everybody. */
export const unassign: ReadAction = async (reading, argument) => {
  if (argument === '') {
    return change(reading, { assigneeIds: [], addAssigneeIds: [], removeAssigneeIds: [] })
  }
  const ids = await usersNamed(reading, argument)
  const { addAssigneeIds = [], removeAssigneeIds = [] } = reading.change
  if (ids.length === 0) return false
  return change(reading, {
    addAssigneeIds: addAssigneeIds.filter((id) => !ids.includes(id)),
    removeAssigneeIds: [...removeAssigneeIds, ...ids],
  })
}

export const reassign: ReadAction = async (reading, argument) => {
  const ids = await usersNamed(reading, argument)
  if (ids.length === 0) return false
  return change(reading, { assigneeIds: ids, addAssigneeIds: [], removeAssigneeIds: [] })
}

export const label: ReadAction = async (reading, argument) => {
  const names = await labelsNamed(reading, argument)
  return names.length > 0 && addLabels(reading, names)
}

function addLabels(reading: Reading, names: readonly string[]): true {
  const { addLabelNames = [], removeLabelNames = [] } = reading.change
  return change(reading, {
    addLabelNames: [...addLabelNames, ...names],
    removeLabelNames: removeLabelNames.filter((name) => !names.includes(name)),
  })
}

/** Takes away the labels named or, without a name, all of them. */
export const unlabel: ReadAction = async (reading, argument) => {
  if (argument === '') {
    return change(reading, { labelNames: [], addLabelNames: [], removeLabelNames: [] })
  }
  const names = await labelsNamed(reading, argument)
  const { addLabelNames = [], removeLabelNames = [] } = reading.change
  if (names.length === 0) return false
  return change(reading, {
    addLabelNames: addLabelNames.filter((name) => !names.includes(name)),
    removeLabelNames: [...removeLabelNames, ...names],
  })
}

export const relabel: ReadAction = async (reading, argument) => {
  const names = await labelsNamed(reading, argument)
  if (names.length === 0) return false
  return change(reading, { labelNames: names, addLabelNames: [], removeLabelNames: [] })
}

/**
 * Gives the item the labels of another one beside its own, and its milestone if that has one; of another
 * project those that this one has too.
 */
export const copyMetadata: ReadAction = async (reading, argument) => {
  const { app, item } = reading
  const [source] = await itemsNamed(reading, argument)
  if (source === undefined) return false
  const labels = await labelsOf(app, source.type, [source.row.id])
  const names = (labels.get(source.row.id) ?? []).map(({ name }) => name)
  const known = await knownLabels(reading, names)
  const id = source.row.milestoneId
  const found = id === null ? undefined : await findUsableMilestone(app, item.project, { id })
  if (found !== undefined) change(reading, { milestoneId: found.id })
  if (known.length > 0) addLabels(reading, known)
  return known.length > 0 || found !== undefined
}

export const targetBranch: ReadAction = async (reading, argument) => {
  const { app, item } = reading
  if (argument === '' || item.type !== 'merge_request') return false
  const retarget = await planRetarget(app, item, argument)
  return retarget !== undefined && change(reading, { targetBranch: argument })
}

/** Marks a merge request as work in progress, or takes the mark away. */
export const toggleWorkInProgress: ReadAction = (reading) => {
  const current = reading.change.title ?? reading.item.row.title
  const next = isWorkInProgress(current)
    ? withoutWorkInProgress(current)
    : withWorkInProgress(current)
  return workItemErrors({ title: next }) === undefined && change(reading, { title: next })
}
