import { expressionBuilder } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import type { Condition, WorkItemTable } from '../../planning/items/lists/work-item-table.ts'
import { visibleMergeRequests } from '../../planning/items/merge-request-visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import { unindexed } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'

const eb = expressionBuilder<Schema, 'mergeRequests'>()

/** The table of merge requests, as lists of work items need it. */
export const mergeRequestTable: WorkItemTable = {
  name: 'mergeRequests',
  type: 'merge_request',
  assignees: 'mergeRequestAssignees',
  assigned: 'mergeRequestId',
  hasPresence: false,
  visible: visibleMergeRequests,
  ownIn: ownMergeRequests,
}

/**
 * Where the caller can't see the project's merge requests: those that they wrote or are assigned
 * to.
 */
function ownMergeRequests($: Param<ViewerArgs>): Condition {
  const assigned = eb
    .selectFrom('mergeRequestAssignees as own')
    .whereRef('own.mergeRequestId', '=', 'mergeRequests.id')
    .where('own.userId', '=', $('userId'))
    .select('own.userId')
  const written = eb(unindexed<number>('mergeRequests.authorId'), '=', $('userId'))
  return eb.or([written, eb.exists(assigned)])
}
