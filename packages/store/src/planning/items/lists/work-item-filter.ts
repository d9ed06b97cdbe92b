import type { CallerFacts, FilterValue, IssueOrder, SearchedField } from '@stithy/core'

/**
 * The filter of a list of issues, merge requests or epics; timestamps in milliseconds, bounds inclusive.
 */
export interface WorkItemFilter {
  state?: string | undefined
  /** Titles; an item must have all of them. */
  labels?: FilterValue<readonly string[]> | undefined
  /** The title. */
  milestone?: FilterValue<string> | undefined
  /** If both are given, both must match. */
  createdById?: number | undefined
  authorId?: number | undefined
  authorUsername?: string | undefined
  /** All of these must match. */
  assignedToId?: number | undefined
  assigneeId?: FilterValue<number> | undefined
  assigneeUsernames?: readonly string[] | undefined
  /** The name of an award by the caller. */
  reaction?: FilterValue<string> | undefined
  weight?: FilterValue<number> | undefined
  iids?: readonly number[] | undefined
  search?: string | undefined
  searchIn?: readonly SearchedField[] | undefined
  createdFrom?: number | undefined
  createdUntil?: number | undefined
  updatedFrom?: number | undefined
  updatedUntil?: number | undefined
  confidential?: boolean | undefined
  /** Whether the title marks it as work in progress; this and the following: of merge requests. */
  wip?: boolean | undefined
  /** Ids of users who must all be listed as approvers, other than through a group. */
  approverIds?: FilterValue<readonly number[]> | undefined
  sourceProjectId?: number | undefined
  sourceBranch?: string | undefined
  targetBranch?: string | undefined
}

/** The scope of a list of issues or merge requests. */
export type WorkItemListScope =
  | {
      kind: 'project'
      projectId: number
      namespaceId: number
      /** Whether the caller can also see the items that are hidden from some readers. */
      includesHidden: boolean
    }
  | { kind: 'group'; groupId: number; archived: boolean }
  | { kind: 'anywhere'; archived: boolean }

/** The scope of a list of epics: those of a group and its subgroups. */
export interface EpicListScope {
  groupId: number
}

/** A list in a scope. */
export interface ListRequest<Scope> {
  scope: Scope
  filter: WorkItemFilter
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
  /** `relative_position`: of issues alone. */
  orderBy: IssueOrder
  sort: 'asc' | 'desc'
}

export type WorkItemRequest = ListRequest<WorkItemListScope>
export type EpicListRequest = ListRequest<EpicListScope>
