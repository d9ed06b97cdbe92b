import type { GroupLabel, Label } from '@stithy/core'
import { countLabelledItems, type LabelRow, type ProjectLabelRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { subscribedTo } from '../subscriptions/subscription.service.ts'
import { type LabelContext, presentGroupLabels, presentLabels } from './label.presenter.ts'

/** Labels as a project shows them. At most four queries, regardless of their number. */
export async function viewLabels(
  app: App,
  caller: Caller,
  rows: readonly ProjectLabelRow[],
): Promise<Label[]> {
  return presentLabels(rows, await contextOf(app, caller, rows))
}

/** One label. */
export async function viewLabel(app: App, caller: Caller, row: ProjectLabelRow): Promise<Label> {
  return only(await viewLabels(app, caller, [row]))
}

/** Labels as a group shows them. At most four queries, regardless of their number. */
export async function viewGroupLabels(
  app: App,
  caller: Caller,
  rows: readonly LabelRow[],
): Promise<GroupLabel[]> {
  return presentGroupLabels(rows, await contextOf(app, caller, rows))
}

/** One label. */
export async function viewGroupLabel(app: App, caller: Caller, row: LabelRow): Promise<GroupLabel> {
  return only(await viewGroupLabels(app, caller, [row]))
}

async function contextOf(
  app: App,
  caller: Caller,
  rows: readonly LabelRow[],
): Promise<LabelContext> {
  const ids = rows.map((row) => row.id)
  const { facts } = caller
  return {
    totals: await countLabelledItems(app.db, facts, dayOf(app.now()), ids),
    subscribed: await subscribedTo(app, 'label', ids, facts.userId),
  }
}

function only<T>([one]: readonly T[]): T {
  if (one === undefined) throw new TypeError('A label has one view')
  return one
}
