import {
  assigneesRemark,
  changedTasks,
  confidentialityRemark,
  descriptionRemark,
  dueDateRemark,
  lockRemark,
  markTitleChange,
  milestoneRemark,
  taskRemark,
  titleRemark,
  weightRemark,
} from '@stithy/core'
import { findUserRefs, type IssueRow, type Row, type Transaction } from '@stithy/store'

/** What is remarked on new columns of an issue (catalogue: issues, 4). */
export function columnRemarks(
  before: IssueRow,
  after: IssueRow,
  milestone: Row<'milestones'> | null | undefined,
): string[] {
  const remarks: string[] = []
  if (after.title !== before.title) {
    remarks.push(titleRemark(markTitleChange(before.title, after.title)))
  }
  remarks.push(...descriptionRemarks(before.description ?? '', after.description ?? ''))
  if (after.milestoneId !== before.milestoneId) remarks.push(milestoneRemark(milestone ?? null))
  if (after.dueDate !== before.dueDate) remarks.push(dueDateRemark(after.dueDate))
  if (after.weight !== before.weight) remarks.push(weightRemark(after.weight))
  if (after.confidential !== before.confidential) {
    remarks.push(confidentialityRemark(after.confidential === 1))
  }
  if (after.discussionLocked !== before.discussionLocked) {
    remarks.push(lockRemark('issue', after.discussionLocked === 1))
  }
  return remarks
}

/** Tasks that one change ticks or unticks beyond these are a new description, not a note each. */
const mostTaskRemarks = 20

/** Ticked tasks are told one by one, in place of the new description. */
export function descriptionRemarks(before: string, after: string): string[] {
  if (before === after) return []
  const tasks = changedTasks(before, after)
  const told = tasks.length > 0 && tasks.length <= mostTaskRemarks
  return told ? tasks.map(taskRemark) : [descriptionRemark]
}

/** What is remarked on new assignees; nothing where they are the same. At most one query. */
export async function assigneeRemarks(
  tx: Transaction,
  before: readonly number[],
  after: readonly number[],
): Promise<string[]> {
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  if (added.length + removed.length === 0) return []
  const users = await findUserRefs(tx, [...added, ...removed])
  const names = new Map(users.map(({ id, username }) => [id, username]))
  const named = (ids: readonly number[]) => ids.flatMap((id) => names.get(id) ?? [])
  const body = assigneesRemark({ added: named(added), removed: named(removed) })
  return body === undefined ? [] : [body]
}
