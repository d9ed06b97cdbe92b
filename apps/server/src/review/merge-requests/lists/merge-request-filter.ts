import type { MergeRequestFilter } from '@stithy/core'
import type { WorkItemFilter } from '@stithy/store'
import { commonFilter } from '../../../planning/items/lists/item-request.ts'
import type { Caller } from '../../../platform/http/call.ts'

/** Builds the filter of a list of merge requests from the query parameters. */
export function mergeRequestFilter(caller: Caller, query: MergeRequestFilter): WorkItemFilter {
  const { state, wip } = query
  return {
    ...commonFilter(caller, query),
    state: state === 'all' ? undefined : state,
    wip: wip === undefined ? undefined : wip === 'yes',
    approverIds: query.approver_ids,
    sourceProjectId: query.source_project_id,
    sourceBranch: query.source_branch || undefined,
    targetBranch: query.target_branch || undefined,
  }
}
