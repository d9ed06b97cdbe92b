import type { CallerFacts, SearchedField, Sought, WorkItemOrder } from '@stithy/core'

/** What lists of issues and merge requests are narrowed to; instants in milliseconds, bounds inclusive. */
export interface WorkItemFilter {
  state?: string | undefined
  /** Titles, of which an item must have each. */
  labels?: Sought<readonly string[]> | undefined
  /** The title. */
  milestone?: Sought<string> | undefined
  /** Both count where both are given. */
  createdById?: number | undefined
  authorId?: number | undefined
  authorUsername?: string | undefined
  /** All of these count together. */
  assignedToId?: number | undefined
  assigneeId?: Sought<number> | undefined
  assigneeUsernames?: readonly string[] | undefined
  /** The name of an award that the caller gave. */
  reaction?: Sought<string> | undefined
  weight?: Sought<number> | undefined
  iids?: readonly number[] | undefined
  search?: string | undefined
  searchIn?: readonly SearchedField[] | undefined
  createdFrom?: number | undefined
  createdUntil?: number | undefined
  updatedFrom?: number | undefined
  updatedUntil?: number | undefined
  confidential?: boolean | undefined
}

/** Whose items are listed. */
export type WorkItemPlace =
  | {
      kind: 'project'
      projectId: number
      namespaceId: number
      /** Whether the caller sees those, too, that are hidden from some who see the others. */
      seesHidden: boolean
    }
  | { kind: 'group'; groupId: number; archived: boolean }
  | { kind: 'anywhere'; archived: boolean }

export interface WorkItemRequest {
  place: WorkItemPlace
  filter: WorkItemFilter
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
  orderBy: WorkItemOrder
  sort: 'asc' | 'desc'
}
