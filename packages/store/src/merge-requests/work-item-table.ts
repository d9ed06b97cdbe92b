import { expressionBuilder } from 'kysely'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { unindexed } from '../sql.ts'
import type { Condition, WorkItemTable } from '../work-items/work-item-table.ts'
import { visibleMergeRequests } from './merge-request-visibility.ts'

const eb = expressionBuilder<Schema, 'mergeRequests'>()

/** Merge requests, as lists of work items know them. */
export const mergeRequestTable: WorkItemTable = {
  name: 'mergeRequests',
  type: 'merge_request',
  assignees: 'mergeRequestAssignees',
  assigned: 'mergeRequestId',
  hasMarks: false,
  visible: visibleMergeRequests,
  ownIn: ownMergeRequests,
}

/** Where the caller may not see the project's merge requests: those that they wrote or are assigned to. */
function ownMergeRequests($: Param<ViewerArgs>): Condition {
  const assigned = eb
    .selectFrom('mergeRequestAssignees as own')
    .whereRef('own.mergeRequestId', '=', 'mergeRequests.id')
    .where('own.userId', '=', $('userId'))
    .select('own.userId')
  const written = eb(unindexed<number>('mergeRequests.authorId'), '=', $('userId'))
  return eb.or([written, eb.exists(assigned)])
}
