import type { GroupLabel, Label } from '@stithy/core'
import { countLabelled, type LabelRow, type ProjectLabelRow } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { dayOf } from '../members/day.ts'
import { subscribedTo } from '../subscriptions/subscription.service.ts'
import { type LabelSurroundings, presentGroupLabels, presentLabels } from './label.presenter.ts'

/** Labels as a project shows them. At most four queries, whatever their number. */
export async function viewLabels(
  app: App,
  caller: Caller,
  rows: readonly ProjectLabelRow[],
): Promise<Label[]> {
  return presentLabels(rows, await surroundingsOf(app, caller, rows))
}

/** One of them. */
export async function viewLabel(app: App, caller: Caller, row: ProjectLabelRow): Promise<Label> {
  return only(await viewLabels(app, caller, [row]))
}

/** Labels as a group shows them. At most four queries, whatever their number. */
export async function viewGroupLabels(
  app: App,
  caller: Caller,
  rows: readonly LabelRow[],
): Promise<GroupLabel[]> {
  return presentGroupLabels(rows, await surroundingsOf(app, caller, rows))
}

/** One of them. */
export async function viewGroupLabel(app: App, caller: Caller, row: LabelRow): Promise<GroupLabel> {
  return only(await viewGroupLabels(app, caller, [row]))
}

async function surroundingsOf(
  app: App,
  caller: Caller,
  rows: readonly LabelRow[],
): Promise<LabelSurroundings> {
  const ids = rows.map((row) => row.id)
  const { facts } = caller
  return {
    totals: await countLabelled(app.db, facts, dayOf(app.now()), ids),
    subscribed: await subscribedTo(app, 'label', ids, facts.userId),
  }
}

function only<T>([one]: readonly T[]): T {
  if (one === undefined) throw new TypeError('A label has one view')
  return one
}
