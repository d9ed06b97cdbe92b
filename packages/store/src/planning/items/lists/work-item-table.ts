import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../../../directory/members/memberships.ts'
import type { ViewerKind } from '../../../directory/members/visibility.ts'
import type { Param } from '../../../platform/queries/queries.ts'
import type { Schema } from '../../../platform/schema/schema.ts'
import type { PresenceBit } from './parts/presence-bits.ts'

export type Condition = Expression<SqlBool>

/** A query of a list of work items; the columns are named through `WorkItemTable`. */
export type Select = SelectQueryBuilder<Schema, 'issues' | 'projects', object>

/** What all lists of items need to know of their table. */
interface ItemTable {
  name: 'issues' | 'mergeRequests' | 'epics'
  /** The target type in labels and awards. */
  type: 'issue' | 'merge_request' | 'epic'
  /** What the items belong to: its column in the table, and its own table. */
  owner: { column: 'projectId' | 'groupId'; table: 'projects' | 'namespaces' }
  /** The bits in the index that serves None and Any; see `presence-bits.ts`. */
  presence: readonly PresenceBit[]
  /** Whether an index serves `iids` outside of known projects. */
  hasNumberIndex: boolean
  /** The trigram table on SQLite. */
  texts: 'issueTexts' | 'mergeRequestTexts' | 'epicTexts'
}

/** The table of epics, which belong to groups. */
export interface EpicTable extends ItemTable {
  name: 'epics'
  type: 'epic'
  owner: { column: 'groupId'; table: 'namespaces' }
  /** The SQL equivalent of the policy, over `namespaces`. */
  visible: (kind: ViewerKind, $: Param<ViewerArgs>) => Condition
}

/** The table of issues or merge requests, which belong to projects. */
export interface WorkItemTable extends ItemTable {
  name: 'issues' | 'mergeRequests'
  type: 'issue' | 'merge_request'
  owner: { column: 'projectId'; table: 'projects' }
  assignees: 'issueAssignees' | 'mergeRequestAssignees'
  /** The column of `assignees` with the item's id. */
  assigned: 'issueId' | 'mergeRequestId'
  /** The SQL equivalent of the policy, over the table and its `projects`. */
  visible: (kind: ViewerKind, $: Param<ViewerArgs>) => Condition
  /** In a project whose items are hidden from some readers: the items that the caller can see. */
  ownIn: ($: Param<ViewerArgs>) => Condition
  /** Over `projects`, which lists select first. */
  projects: {
    /** Projects that have such items enabled. */
    available: () => Condition
    /** Projects whose items all callers of the kind can see. */
    open: (kind: ViewerKind) => Condition
    /** Of those that the caller can see, projects without items that are hidden from them. */
    full: (kind: ViewerKind, $: Param<ViewerArgs>) => Condition
  }
}

export type ListedTable = WorkItemTable | EpicTable

/** A column of the table, as named in every query of its lists. */
export function columnOf<T>(table: ListedTable, name: string) {
  return sql.ref<T>(`${table.name}.${name}`)
}
