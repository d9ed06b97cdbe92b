import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import type { ViewerKind } from '../visibility.ts'

export type Condition = Expression<SqlBool>

/** A list of work items in the making; the columns are named through `WorkItemTable`. */
export type Select = SelectQueryBuilder<Schema, 'issues' | 'projects', object>

/** Issues, or merge requests: what the lists of both need to know of their tables. */
export interface WorkItemTable {
  name: 'issues' | 'mergeRequests'
  /** As labels and awards name it. */
  type: 'issue' | 'merge_request'
  assignees: 'issueAssignees' | 'mergeRequestAssignees'
  /** The column of `assignees` that names the item. */
  assigned: 'issueId' | 'mergeRequestId'
  /** Whether indices serve None, Any and `confidential`; see `marks.ts`. */
  hasMarks: boolean
  /** The table of trigrams on SQLite, where there is one. */
  texts?: 'issueTexts'
  /** The SQL twin of the policy, over the table and its `projects`. */
  visible: (kind: ViewerKind, $: Param<ViewerArgs>) => Condition
  /** In a project whose items the caller sees, but for those that are hidden from some: what they see. */
  ownIn: ($: Param<ViewerArgs>) => Condition
  /** Over `projects`; undefined where lists do not ask for them first. */
  projects?: {
    /** Those that have such items. */
    available: () => Condition
    /** Those whose items everybody of the kind sees. */
    open: (kind: ViewerKind) => Condition
  }
}

/** A column of the table, as it is named in every query of its lists. */
export function columnOf<T>(table: WorkItemTable, name: string) {
  return sql.ref<T>(`${table.name}.${name}`)
}
