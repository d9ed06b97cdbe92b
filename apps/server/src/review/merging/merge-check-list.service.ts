import { isOutdatedMergeStatus, type MergeCheck } from '@stithy/core'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { approvalsSatisfied } from '../approvals/approval-state.service.ts'
import { withMergeStatus } from '../merge-requests/mergeability.service.ts'
import {
  checkDiscussions,
  checkPipeline,
  findTarget,
  hasCommits,
  needsRebase,
} from './merge-checks.service.ts'

type Status = MergeCheck['status']

/**
 * Lists what a merge depends on, and whether it holds, without the permission of the caller
 * (`GET .../merge_checks`). At most 17 queries.
 */
export async function listMergeChecks(app: App, item: MergeRequestItem): Promise<MergeCheck[]> {
  const [checked = item.row] = await withMergeStatus(app, [item.row])
  const { row, project } = { ...item, row: checked }
  const targetSha = await findTarget(app, item)
  return [
    { name: 'open', status: statusOf(row.state === 'opened') },
    { name: 'draft', status: statusOf(row.workInProgress === 0) },
    { name: 'commits', status: statusOf(targetSha !== undefined && hasCommits(row)) },
    { name: 'conflict', status: conflictStatus(row.mergeStatus) },
    { name: 'pipeline', status: await checkPipeline(app, item) },
    { name: 'discussions', status: await checkDiscussions(app, item) },
    { name: 'approvals', status: statusOf(await approvalsSatisfied(app, item)) },
    { name: 'rebase', status: await rebaseStatus(app, { row, project }, targetSha) },
  ]
}

function statusOf(holds: boolean): Status {
  return holds ? 'passed' : 'failed'
}

function conflictStatus(status: MergeRequestItem['row']['mergeStatus']): Status {
  if (isOutdatedMergeStatus(status)) return 'checking'
  return statusOf(status !== 'cannot_be_merged')
}

async function rebaseStatus(
  app: App,
  item: Pick<MergeRequestItem, 'row' | 'project'>,
  targetSha: string | undefined,
): Promise<Status> {
  if (item.project.row.mergeMethod === 'merge' || targetSha === undefined) return 'inactive'
  return statusOf(!(await needsRebase(app, item, targetSha)))
}
