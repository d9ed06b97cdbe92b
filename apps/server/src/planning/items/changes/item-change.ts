/**
 * The settings of an issue, merge request or epic. Undefined keeps the value or, on creation, means the
 * default. A type of item ignores settings that it has no field for.
 */
export interface ItemSettings {
  title?: string | undefined
  description?: string | null | undefined
  confidential?: boolean | undefined
  /** Ids; 0 means nobody. */
  assigneeIds?: readonly number[] | undefined
  /** Global id; null, 0 and a milestone that the project cannot use mean none. */
  milestoneId?: number | null | undefined
  /** Replaces all labels of the item. */
  labelNames?: readonly string[] | undefined
  /** `YYYY-MM-DD` */
  dueDate?: string | null | undefined
  discussionLocked?: boolean | undefined
  weight?: number | null | undefined
  targetBranch?: string | undefined
  squash?: boolean | undefined
  removeSourceBranch?: boolean | undefined
  allowCollaboration?: boolean | undefined
  /** This and the following: where the dates of an epic come from. */
  startDateIsFixed?: boolean | undefined
  /** `YYYY-MM-DD` */
  startDateFixed?: string | null | undefined
  dueDateIsFixed?: boolean | undefined
  dueDateFixed?: string | null | undefined
}

export type StateEvent = 'close' | 'reopen'

/** A requested change of an issue, merge request or epic. */
export interface ItemChange extends ItemSettings {
  stateEvent?: StateEvent | undefined
  addLabelNames?: readonly string[] | undefined
  removeLabelNames?: readonly string[] | undefined
  addAssigneeIds?: readonly number[] | undefined
  removeAssigneeIds?: readonly number[] | undefined
}
