import type { Epic } from '@stithy/core'
import { type EpicRow, rollUpEpic } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'

/** What is below an epic, as its single view shows it. */
export type EpicRollUp = Required<Pick<Epic, 'descendant_counts' | 'descendant_weight_sum'>>

/** Counts what is below an epic, as far as the caller may read it. One query. */
export async function viewRollUp(app: App, caller: Caller, { id }: EpicRow): Promise<EpicRollUp> {
  const viewer = { caller: caller.facts, today: dayOf(app.now()) }
  const rows = await rollUpEpic(app.db, { epicId: id, ...viewer })
  const find = (kind: 'epic' | 'issue', state: 'opened' | 'closed') =>
    rows.find((row) => row.kind === kind && row.state === state)
  return {
    descendant_counts: {
      opened_epics: find('epic', 'opened')?.total ?? 0,
      closed_epics: find('epic', 'closed')?.total ?? 0,
      opened_issues: find('issue', 'opened')?.total ?? 0,
      closed_issues: find('issue', 'closed')?.total ?? 0,
    },
    descendant_weight_sum: {
      opened_issues: find('issue', 'opened')?.weight ?? 0,
      closed_issues: find('issue', 'closed')?.weight ?? 0,
    },
  }
}
