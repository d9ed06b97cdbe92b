import type { IssueRow, MergeRequestRow } from '@stithy/store'
import { parseWaitingMerge } from '../../review/merging/pending-merge.ts'
import type { HookChanges } from './webhook-events.ts'

/** The columns of issues that hooks report, by their names in `changes`. */
const issueNames = {
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
  updatedById: 'updated_by_id',
  lastEditedAt: 'last_edited_at',
  lastEditedById: 'last_edited_by_id',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof IssueRow, string>>

/** Those of merge requests. */
const mergeRequestNames = {
  title: 'title',
  description: 'description',
  state: 'state',
  discussionLocked: 'discussion_locked',
  milestoneId: 'milestone_id',
  targetBranch: 'target_branch',
  squash: 'squash',
  timeEstimate: 'time_estimate',
  totalTimeSpent: 'total_time_spent',
  updatedById: 'updated_by_id',
  lastEditedAt: 'last_edited_at',
  lastEditedById: 'last_edited_by_id',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof MergeRequestRow, string>>

const flags: ReadonlySet<string> = new Set(['confidential', 'discussionLocked', 'squash'])

/** Previous and current values of the changed fields; timestamps in milliseconds. */
export function issueHookChanges(before: IssueRow, after: IssueRow): HookChanges {
  return changesOf(issueNames, before, after)
}

/** Like `issueHookChanges`. */
export function mergeRequestHookChanges(
  before: MergeRequestRow,
  after: MergeRequestRow,
): HookChanges {
  const [previous, current] = [mergeParams(before), mergeParams(after)]
  const isSame = JSON.stringify(previous) === JSON.stringify(current)
  return {
    ...changesOf(mergeRequestNames, before, after),
    ...(isSame ? {} : { merge_params: { previous, current } }),
  }
}

/** The options with which a merge request is merged; those that nobody set are absent. */
export function mergeParams(row: MergeRequestRow): object {
  const { shouldRemoveSourceBranch: remove } = row
  const { mergeCommitMessage, squashCommitMessage } = parseWaitingMerge(row.mergeParams)
  return {
    force_remove_source_branch: row.forceRemoveSourceBranch === 1,
    ...(remove === null ? {} : { should_remove_source_branch: remove === 1 }),
    ...(mergeCommitMessage === undefined ? {} : { commit_message: mergeCommitMessage }),
    ...(squashCommitMessage === undefined ? {} : { squash_commit_message: squashCommitMessage }),
  }
}

function changesOf<Row extends object>(
  names: Partial<Record<keyof Row, string>>,
  before: Row,
  after: Row,
): HookChanges {
  const changes: Record<string, { previous: unknown; current: unknown }> = {}
  for (const [name, wire] of Object.entries(names) as [keyof Row & string, string][]) {
    const [previous, current] = [before[name], after[name]]
    if (previous === current) continue
    const toWire = (value: unknown) => (flags.has(name) && value !== null ? value === 1 : value)
    changes[wire] = { previous: toWire(previous), current: toWire(current) }
  }
  return changes
}
