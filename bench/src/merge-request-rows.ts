import { member, sharedBranch, stableBranch } from './data/measured.ts'
import { commonFilters, itemRows } from './item-rows.ts'

/** Lists of merge requests. */
export const mergeRequestRows = itemRows('merge_requests', {
  ...commonFilters,
  merged: 'state=merged',
  wip: 'wip=yes',
  ready: 'wip=no',
  approver: `approver_ids=${member.id}`,
  'source-branch': `source_branch=${sharedBranch}`,
  'target-branch': `target_branch=${stableBranch}`,
})
