import { changedTasks, milestoneSystemNote, type SystemNote, taskCompletion } from '@stithy/core'
import { type IssueRow, type MergeRequestRow, toFlag } from '@stithy/store'
import type { ItemSettings } from './item-change.ts'
import type { ItemPlan } from './item-plan.ts'

/** The columns of a text with tasks, which all types of items have. */
type TextRow = Pick<IssueRow, 'description' | 'taskCount' | 'taskDoneCount'>
/** The columns of the fields that issues and merge requests share. */
type SharedRow = Pick<IssueRow & MergeRequestRow, 'milestoneId' | 'discussionLocked'>

/** A setting of a type of item: who may set it, how it is stored, what its changes note. */
export interface ItemField<Row, More = unknown> {
  setting: keyof ItemSettings
  /** Whether setting it requires the planning ability in addition to the one to update. */
  planning?: true
  /** Whether changing it marks the user's pending todos about the item as done. */
  finishesTodos?: true
  /** The columns that a plan sets; undefined if it leaves them alone. */
  columns: (plan: ItemPlan<More>, row: Row) => Partial<Row> | undefined
  /** The system notes on new column values, which may equal the old ones. */
  notes: (before: Row, after: Row, plan: ItemPlan<More>) => SystemNote[]
}

/** The columns that a plan changes; those that keep their value are left out. */
export function changedColumns<Row extends object, More>(
  fields: readonly ItemField<Row, More>[],
  plan: ItemPlan<More>,
  row: Row,
): Partial<Row> {
  const planned: Partial<Row> = Object.assign(
    {},
    ...fields.map(({ columns }) => columns(plan, row)),
  )
  const changed = Object.entries(planned).filter(
    ([name, value]) => value !== undefined && value !== row[name as keyof Row],
  )
  return Object.fromEntries(changed) as Partial<Row>
}

/** The task counts of a description, as columns. */
export function taskColumns(
  description: string | null,
): Pick<TextRow, 'taskCount' | 'taskDoneCount'> {
  const { count, completed_count: done } = taskCompletion(description ?? '')
  return { taskCount: count, taskDoneCount: done }
}

/** If one change ticks or unticks more tasks, it is noted as a changed description. */
const maxTaskNotes = 20

export const titleField: ItemField<{ title: string }> = {
  setting: 'title',
  finishesTodos: true,
  columns: ({ change: { title } }) => (title === undefined ? undefined : { title }),
  notes: ({ title: from }, { title: to }) =>
    from === to ? [] : [{ action: 'title_changed', from, to }],
}

export const descriptionField: ItemField<TextRow> = {
  setting: 'description',
  finishesTodos: true,
  columns: ({ change: { description } }) =>
    description === undefined ? undefined : { description, ...taskColumns(description) },
  notes(before, after) {
    const [from, to] = [before.description ?? '', after.description ?? '']
    if (from === to) return []
    const tasks = changedTasks(from, to)
    if (tasks.length === 0 || tasks.length > maxTaskNotes)
      return [{ action: 'description_changed' }]
    return tasks.map(({ text, done }) => ({ action: 'task_marked', text, done }))
  },
}

export const milestoneField: ItemField<SharedRow> = {
  setting: 'milestoneId',
  planning: true,
  finishesTodos: true,
  columns: ({ milestone }) =>
    milestone === undefined ? undefined : { milestoneId: milestone?.id ?? null },
  notes: (before, after, { milestone }) =>
    before.milestoneId === after.milestoneId ? [] : [milestoneSystemNote(milestone ?? null)],
}

export const lockField: ItemField<SharedRow> = {
  setting: 'discussionLocked',
  planning: true,
  columns({ change: { discussionLocked: locked } }, row) {
    if (locked === undefined) return undefined
    // A discussion that was never locked keeps null rather than false.
    return !locked && row.discussionLocked === null
      ? undefined
      : { discussionLocked: toFlag(locked) }
  },
  notes: (before, after) =>
    before.discussionLocked === after.discussionLocked
      ? []
      : [{ action: 'lock_changed', locked: after.discussionLocked === 1 }],
}
