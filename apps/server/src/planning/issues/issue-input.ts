import type { ItemChange, ItemSettings } from '../items/changes/item-change.ts'

/** The input of a new issue; timestamps in milliseconds. */
export interface IssueInput extends ItemSettings {
  title: string
  createdAt?: number | undefined
  iid?: number | undefined
}

/** Applies the quick actions of the description to the input. */
export function mergeChange<T extends ItemSettings & { title: string }>(
  input: T,
  { title, stateEvent: _, ...change }: ItemChange,
): T {
  const { addLabelNames = [], removeLabelNames = [], ...rest } = change
  const { addAssigneeIds = [], removeAssigneeIds = [], ...settings } = rest
  const { labelNames = input.labelNames ?? [], assigneeIds = input.assigneeIds ?? [] } = settings
  return {
    ...input,
    ...settings,
    title: title ?? input.title,
    labelNames: without([...labelNames, ...addLabelNames], removeLabelNames),
    assigneeIds: without([...assigneeIds, ...addAssigneeIds], removeAssigneeIds),
  }
}

function without<T>(all: readonly T[], removed: readonly T[]): T[] {
  return all.filter((one) => !removed.includes(one))
}
