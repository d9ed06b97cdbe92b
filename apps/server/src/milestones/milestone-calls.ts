import type { Milestone } from '@stithy/core'
import { listMilestones, type Page, type PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { presentMilestone, presentMilestones } from './milestone.presenter.ts'
import {
  changeMilestone,
  createMilestone,
  type MilestoneInput,
  type StateEvent,
} from './milestone.service.ts'
import { type MilestonePlace, requireMilestone } from './milestone-found.ts'

/** Who calls, and the place of the milestones that the call is about. */
export interface MilestoneCall {
  app: App
  caller: Caller
  place: MilestonePlace
}

interface Filters {
  iids?: readonly number[] | undefined
  state?: 'active' | 'closed' | 'all' | undefined
  title?: string | undefined
  search?: string | undefined
}

interface Sent {
  title?: string | undefined
  description?: string | undefined
  start_date?: string | null | undefined
  due_date?: string | null | undefined
}

function toInput({ title, description, start_date, due_date }: Sent): MilestoneInput {
  return { title, description, startDate: start_date, dueDate: due_date }
}

/** The milestones of the place. Two queries. */
export async function listPage(
  { app, place }: MilestoneCall,
  { state, ...filters }: Filters,
  page: PageRequest,
): Promise<Page<Milestone>> {
  const filter = { ...filters, state: state === 'all' ? undefined : state }
  const found = await listMilestones(app.db, place, filter, page)
  const rows = found.items.map((row) => ({ ...row, ownerFullPath: place.fullPath }))
  return { ...found, items: presentMilestones(app.config, rows) }
}

/** One of them. @throws DomainError `not_found` */
export async function showOne({ app, place }: MilestoneCall, id: number): Promise<Milestone> {
  return presentMilestone(app.config, await requireMilestone(app, place, id))
}

/** Makes a milestone in the place. @throws DomainError `bad_request` */
export async function createOne(
  { app, caller, place }: MilestoneCall,
  sent: Sent & { title: string },
): Promise<Milestone> {
  const input = { ...toInput(sent), title: sent.title }
  const row = await createMilestone(app, place, requireCaller(caller).id, input)
  return presentMilestone(app.config, row)
}

/** Changes one of them. @throws DomainError `not_found`, `invalid_parameter`, `bad_request` */
export async function updateOne(
  { app, caller, place }: MilestoneCall,
  id: number,
  { state_event: stateEvent, ...sent }: Sent & { state_event?: StateEvent | undefined },
): Promise<Milestone> {
  const milestone = await requireMilestone(app, place, id)
  const change = { milestone, userId: requireCaller(caller).id, stateEvent }
  return presentMilestone(app.config, await changeMilestone(app, place, change, toInput(sent)))
}
