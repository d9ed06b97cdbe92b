import type { IssueRow } from '@stithy/store'
import type { HookChanges } from './webhook-events.ts'

/** The columns that hooks report, by their names in `changes`. */
const wireNames = {
  title: 'title',
  description: 'description',
  state: 'state',
  confidential: 'confidential',
  discussionLocked: 'discussion_locked',
  milestoneId: 'milestone_id',
  dueDate: 'due_date',
  weight: 'weight',
  timeEstimate: 'time_estimate',
  totalTimeSpent: 'total_time_spent',
  closedAt: 'closed_at',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof IssueRow, string>>

const flags: ReadonlySet<string> = new Set(['confidential', 'discussionLocked'])

/** Previous and current values of the changed fields; timestamps in milliseconds. */
export function issueHookChanges(before: IssueRow, after: IssueRow): HookChanges {
  const changes: Record<string, { previous: unknown; current: unknown }> = {}
  for (const [name, wire] of Object.entries(wireNames) as [keyof typeof wireNames, string][]) {
    const [previous, current] = [before[name], after[name]]
    if (previous === current) continue
    const toWire = (value: unknown) => (flags.has(name) && value !== null ? value === 1 : value)
    changes[wire] = { previous: toWire(previous), current: toWire(current) }
  }
  return changes
}
