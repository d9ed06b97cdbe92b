import {
  badRequest,
  type DomainError,
  type FieldErrors,
  invalidParameter,
  milestoneErrors,
  notFound,
  takenMilestoneTitle,
} from '@stithy/core'
import {
  type EventAction,
  insertMilestone,
  isMilestoneTitleTaken,
  isUniqueViolation,
  lockMilestone,
  type MilestoneData,
  type MilestoneRow,
  type Row,
  recordEvent,
  type Transaction,
  updateMilestone,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { MilestonePlace } from './milestone-found.ts'

/** What is sent of a milestone; what is undefined stays, days are `YYYY-MM-DD`. */
export interface MilestoneInput {
  title?: string | undefined
  description?: string | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

type Verb = 'create' | 'update'

/** Catalogue: planning, 1: the faults stand in the sentence. */
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
async function requireFreeTitle(
  app: App,
  verb: Verb,
  place: MilestonePlace,
  title: string,
): Promise<void> {
  if (await isMilestoneTitleTaken(app.db, place, title)) throw failed(verb, takenMilestoneTitle)
}

/** Two that want the same title at once: the second hears that it is taken. */
async function withFreeTitle<T>(verb: Verb, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isUniqueViolation(error, 'title') ? failed(verb, takenMilestoneTitle) : error
  }
}

/** Milestones of groups have no events (catalogue: planning, 1). */
export async function recordMilestoneEvent(
  tx: Transaction,
  { id, iid, title, projectId }: Row<'milestones'>,
  event: { action: EventAction; authorId: number; createdAt: number },
): Promise<void> {
  if (projectId === null) return
  await recordEvent(tx, { projectId, target: { type: 'milestone', id, iid, title }, ...event })
}

/** Makes a milestone. @throws DomainError `bad_request` */
export async function createMilestone(
  app: App,
  place: MilestonePlace,
  userId: number,
  input: MilestoneInput & { title: string },
): Promise<MilestoneRow> {
  const { description = null, startDate = null, dueDate = null } = input
  const texts = { title: input.title.trim(), description: description || null, startDate, dueDate }
  requireValid('create', texts)
  await requireFreeTitle(app, 'create', place, texts.title)
  const createdAt = app.now()
  const made = app.db.transaction(async (tx) => {
    const row = await insertMilestone(tx, place, { ...texts, state: 'active', createdAt })
    await recordMilestoneEvent(tx, row, { action: 'created', authorId: userId, createdAt })
    return row
  })
  return { ...(await withFreeTitle('create', made)), ownerFullPath: place.fullPath }
}

/** A change of state that is asked for. */
export type StateEvent = 'close' | 'activate'

/**
 * Changes a milestone; an event of state that changes nothing leaves no trace.
 * @throws DomainError `invalid_parameter` where nothing is to change, `bad_request`, `not_found` where it has gone
 *   meanwhile.
 */
export async function changeMilestone(
  app: App,
  place: MilestonePlace,
  change: { milestone: MilestoneRow; userId: number; stateEvent?: StateEvent | undefined },
  input: MilestoneInput,
): Promise<MilestoneRow> {
  const { milestone, userId, stateEvent } = change
  if ([stateEvent, ...Object.values(input)].every((value) => value === undefined)) {
    throw nothingToChange()
  }
  const texts = merged(milestone, input)
  requireValid('update', texts)
  if (texts.title !== milestone.title) await requireFreeTitle(app, 'update', place, texts.title)
  const at = app.now()
  const made = app.db.transaction(async (tx) => {
    const current = await lockMilestone(tx, milestone.id)
    if (current === undefined) throw notFound('Milestone')
    const state = stateAfter(current, stateEvent)
    const next = { ...merged(current, input), id: current.id, state, updatedAt: at }
    const row = await updateMilestone(tx, next)
    if (row === undefined) throw notFound('Milestone')
    const action = state === 'closed' ? 'closed' : 'reopened'
    const event = { action, authorId: userId, createdAt: at } as const
    if (state !== current.state) await recordMilestoneEvent(tx, row, event)
    return row
  })
  return { ...(await withFreeTitle('update', made)), ownerFullPath: place.fullPath }
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

function nothingToChange(): DomainError {
  const names = ['title', 'description', 'due_date', 'start_date', 'state_event']
  return invalidParameter(
    `${names.join(', ')} are missing, at least one parameter must be provided`,
  )
}
