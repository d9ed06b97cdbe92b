import { taskCompletion } from '@stithy/core'
import { type IssueChanges, type IssueRow, toFlag } from '@stithy/store'
import type { HookChanges } from '../../webhooks/webhook-events.ts'
import type { ChangePlan } from './issue-change-plan.ts'

/** The tasks of a description as they are kept. */
export function taskColumns(
  description: string | null,
): Pick<IssueRow, 'taskCount' | 'taskDoneCount'> {
  const { count, completed_count: done } = taskCompletion(description ?? '')
  return { taskCount: count, taskDoneCount: done }
}

/** The columns that a plan changes of an issue as it is now; those that stay are left out. */
export function changedColumns(row: IssueRow, { change, milestone }: ChangePlan): IssueChanges {
  const { title, description, confidential, discussionLocked, dueDate, weight } = change
  const wanted: IssueChanges = {
    title,
    description,
    confidential: confidential === undefined ? undefined : toFlag(confidential),
    discussionLocked: discussionLocked === undefined ? undefined : toFlag(discussionLocked),
    milestoneId: milestone === undefined ? undefined : (milestone?.id ?? null),
    dueDate,
    weight,
  }
  const columns = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && value !== row[name as keyof IssueRow],
    ),
  ) as IssueChanges
  // What was never locked is not unlocked either.
  if (columns.discussionLocked === 0 && row.discussionLocked === null) {
    delete columns.discussionLocked
  }
  if (columns.description === undefined) return columns
  return { ...columns, ...taskColumns(columns.description) }
}

const wireNames = {
  title: 'title',
  description: 'description',
  confidential: 'confidential',
  discussionLocked: 'discussion_locked',
  milestoneId: 'milestone_id',
  dueDate: 'due_date',
  weight: 'weight',
  timeEstimate: 'time_estimate',
  totalTimeSpent: 'total_time_spent',
  updatedAt: 'updated_at',
} as const

const flags: ReadonlySet<string> = new Set(['confidential', 'discussionLocked'])

/** What hooks are told of the columns that changed. */
export function hookChanges(before: IssueRow, after: IssueRow): HookChanges {
  const changes: Record<string, { previous: unknown; current: unknown }> = {}
  for (const [name, wire] of Object.entries(wireNames) as [keyof typeof wireNames, string][]) {
    const [previous, current] = [before[name], after[name]]
    if (previous === current) continue
    const spell = (value: unknown) => (flags.has(name) && value !== null ? value === 1 : value)
    changes[wire] = { previous: spell(previous), current: spell(current) }
  }
  return changes
}
