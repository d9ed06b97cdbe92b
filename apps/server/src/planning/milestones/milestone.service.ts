import {
  badRequest,
  type DomainError,
  type FieldErrors,
  milestoneErrors,
  notFound,
  takenMilestoneTitle,
} from '@stithy/core'
import {
  insertMilestone,
  isMilestoneTitleTaken,
  isUniqueViolation,
  lockMilestone,
  type MilestoneData,
  type MilestoneRow,
  type Row,
  type Transaction,
  updateMilestone,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { ChangeBy } from '../../platform/changes/change.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { MilestoneParent } from './milestone-parent.ts'

/** The input of a milestone; undefined keeps a value, dates are `YYYY-MM-DD`. */
export interface MilestoneInput {
  title?: string | undefined
  description?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

type Verb = 'create' | 'update'

/** The error message contains the field errors as JSON, as v4 clients expect. */
function failed(verb: Verb, errors: FieldErrors): DomainError {
  return badRequest(`Failed to ${verb} milestone ${JSON.stringify(errors)}`)
}

type Texts = Omit<MilestoneData, 'state'>

/** @throws DomainError `bad_request` */
function requireValid(verb: Verb, texts: Texts): void {
  const errors = milestoneErrors(texts)
  if (errors !== undefined) throw failed(verb, errors)
}

/** @throws DomainError `bad_request` */
async function requireUniqueTitle(
  app: App,
  verb: Verb,
  parent: MilestoneParent,
  title: string,
): Promise<void> {
  if (await isMilestoneTitleTaken(app.db, parent, title)) throw failed(verb, takenMilestoneTitle)
}

/** The second of two concurrent calls with the same title gets the `already taken` error. */
async function withUniqueTitle<T>(verb: Verb, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isUniqueViolation(error, 'title') ? failed(verb, takenMilestoneTitle) : error
  }
}

/** Creates a milestone. @throws DomainError `bad_request` */
export async function createMilestone(
  app: App,
  parent: MilestoneParent,
  userId: number,
  input: MilestoneInput & { title: string },
): Promise<MilestoneRow> {
  const { description = null, startDate = null, dueDate = null } = input
  const texts = { title: input.title.trim(), description: description || null, startDate, dueDate }
  requireValid('create', texts)
  await requireUniqueTitle(app, 'create', parent, texts.title)
  const createdAt = app.now()
  const saved = app.db.transaction(async (tx) => {
    const row = await insertMilestone(tx, parent, { ...texts, state: 'active', createdAt })
    const by = { userId, at: createdAt, now: createdAt }
    await recordChange(tx, { kind: 'milestone.created', ...by, milestone: row })
    return row
  })
  return { ...(await withUniqueTitle('create', saved)), ownerFullPath: parent.fullPath }
}

/** A requested change of state. */
export type StateEvent = 'close' | 'activate'

/**
 * Changes a milestone. A state event without effect is not recorded.
 * @throws DomainError `invalid_parameter` if no parameter is sent, `bad_request`, `not_found` if it
 *   was deleted concurrently.
 */
export async function changeMilestone(
  app: App,
  parent: MilestoneParent,
  change: { milestone: MilestoneRow; userId: number; stateEvent?: StateEvent | undefined },
  input: MilestoneInput,
): Promise<MilestoneRow> {
  const { milestone, userId, stateEvent } = change
  const texts = merged(milestone, input)
  requireValid('update', texts)
  if (texts.title !== milestone.title) await requireUniqueTitle(app, 'update', parent, texts.title)
  const at = app.now()
  const saved = app.db.transaction(async (tx) => {
    const current = await lockMilestone(tx, milestone.id)
    if (current === undefined) throw notFound('Milestone')
    const state = stateAfter(current, stateEvent)
    const next = { ...merged(current, input), id: current.id, state, updatedAt: at }
    const row = await updateMilestone(tx, next)
    if (row === undefined) throw notFound('Milestone')
    await recordMilestoneChange(tx, current, row, { userId, at, now: at })
    return row
  })
  return { ...(await withUniqueTitle('update', saved)), ownerFullPath: parent.fullPath }
}

/** Records what others follow: dates and the state. */
async function recordMilestoneChange(
  tx: Transaction,
  before: Row<'milestones'>,
  milestone: Row<'milestones'>,
  by: ChangeBy & { userId: number },
): Promise<void> {
  const { id: milestoneId, startDate, dueDate, state } = milestone
  if (startDate !== before.startDate || dueDate !== before.dueDate) {
    await recordChange(tx, { kind: 'milestone.rescheduled', ...by, milestoneId })
  }
  if (state === before.state) return
  const kind = state === 'closed' ? 'milestone.closed' : 'milestone.reopened'
  await recordChange(tx, { kind, ...by, milestone })
}

function merged(row: Texts, { title, description, startDate, dueDate }: MilestoneInput): Texts {
  return {
    title: title === undefined ? row.title : title.trim(),
    description: description === undefined ? row.description : description || null,
    startDate: startDate === undefined ? row.startDate : startDate,
    dueDate: dueDate === undefined ? row.dueDate : dueDate,
  }
}

function stateAfter({ state }: Row<'milestones'>, event: StateEvent | undefined) {
  if (event === undefined) return state
  return event === 'close' ? 'closed' : 'active'
}
