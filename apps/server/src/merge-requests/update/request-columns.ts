import {
  isWorkInProgress,
  lockRemark,
  markTitleChange,
  milestoneRemark,
  targetBranchRemark,
  titleRemark,
  withoutWorkInProgress,
  workInProgressRemark,
} from '@stithy/core'
import { type MergeRequestChanges, type MergeRequestRow, toFlag } from '@stithy/store'
import { taskColumns } from '../../issues/write/issue-columns.ts'
import { descriptionRemarks } from '../../issues/write/issue-remarks.ts'
import type { RequestChangePlan } from './request-change-plan.ts'

/** The columns that a plan changes of a merge request as it is now; those that stay are left out. */
export function changedColumns(
  row: MergeRequestRow,
  { change, milestone, retarget }: RequestChangePlan,
): MergeRequestChanges {
  const { title, description, discussionLocked } = change
  const wanted: MergeRequestChanges = {
    title,
    workInProgress: title === undefined ? undefined : toFlag(isWorkInProgress(title)),
    description,
    discussionLocked: discussionLocked === undefined ? undefined : toFlag(discussionLocked),
    milestoneId: milestone === undefined ? undefined : (milestone?.id ?? null),
    targetBranch: retarget?.branch,
  }
  const columns = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && value !== row[name as keyof MergeRequestRow],
    ),
  ) as MergeRequestChanges
  // What was never locked is not unlocked either.
  if (columns.discussionLocked === 0 && row.discussionLocked === null) {
    delete columns.discussionLocked
  }
  if (columns.description === undefined) return columns
  return { ...columns, ...taskColumns(columns.description) }
}

/** What is remarked on new columns (catalogue: issues, 4; merge requests, 3 and 3.1). */
export function requestRemarks(
  before: MergeRequestRow,
  after: MergeRequestRow,
  { milestone }: RequestChangePlan,
): string[] {
  const remarks = [
    ...titleRemarks(before.title, after.title),
    ...descriptionRemarks(before.description ?? '', after.description ?? ''),
  ]
  if (after.milestoneId !== before.milestoneId) remarks.push(milestoneRemark(milestone ?? null))
  if (after.discussionLocked !== before.discussionLocked) {
    remarks.push(lockRemark('merge_request', after.discussionLocked === 1))
  }
  if (after.targetBranch !== before.targetBranch) {
    remarks.push(targetBranchRemark(before.targetBranch, after.targetBranch))
  }
  return remarks
}

/** The mark of work in progress has a remark of its own; the title one only where the rest has changed. */
function titleRemarks(before: string, after: string): string[] {
  const isMarked = isWorkInProgress(after)
  const marks = isMarked === isWorkInProgress(before) ? [] : [workInProgressRemark(isMarked)]
  if (withoutWorkInProgress(before) === withoutWorkInProgress(after)) return marks
  return [...marks, titleRemark(markTitleChange(before, after))]
}
