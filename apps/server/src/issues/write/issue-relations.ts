import {
  listIssueAssignees,
  listLabelsOf,
  setIssueAssignees,
  type Transaction,
} from '@stithy/store'
import type { IssueItem, WorkItem } from '../../items/item.ts'
import { applyLabels } from '../../labels/labelling.service.ts'
import type { AssigneePlan, LabelStep } from './issue-change-plan.ts'
import type { Change } from './issue-write.ts'

/** The item as labels know it. */
export function labelledItem({ type, row }: WorkItem) {
  const { id, projectId, createdAt } = row
  return { type, id, projectId, createdAt }
}

/** Who was assigned, and who is; ids in their order. */
export interface Assigned {
  before: readonly number[]
  after: readonly number[]
}

/**
 * Changes the assignees of an issue that is locked by the transaction; undefined where they stay. Where there
 * is one assignee only, a new one takes the place of the old.
 */
export async function applyAssignees(
  tx: Transaction,
  { row }: IssueItem,
  plan: AssigneePlan | undefined,
  several: boolean,
): Promise<Assigned | undefined> {
  if (plan === undefined) return undefined
  const before = (await listIssueAssignees(tx, [row.id])).map(({ userId }) => userId)
  const after = nextAssignees(before, plan, several)
  if (after.join() === before.join()) return undefined
  await setIssueAssignees(tx, row, after)
  return { before, after }
}

/** Who is assigned by a plan, in their order. */
export function nextAssignees(
  before: readonly number[],
  plan: AssigneePlan,
  several: boolean,
): number[] {
  const wanted = new Set([...(plan.replace ?? before), ...plan.add])
  for (const id of plan.remove) wanted.delete(id)
  const [first] = plan.add.length > 0 ? plan.add : wanted
  return several ? [...wanted] : first === undefined ? [] : [first]
}

/** Changes the labels of an item; `previous` are the ids before, where they changed. */
export async function applyLabelSteps(
  tx: Transaction,
  item: WorkItem,
  steps: readonly LabelStep[],
  { userId, at }: Change,
): Promise<{ changed: boolean; previous?: number[] }> {
  if (steps.length === 0) return { changed: false }
  const target = labelledItem(item)
  const before = await listLabelsOf(tx, { type: item.type, ids: [target.id] })
  let changed = false
  for (const { plan, mode } of steps) {
    if (await applyLabels(tx, target, plan, { mode, userId, at })) changed = true
  }
  return changed ? { changed, previous: before.map((label) => label.id) } : { changed }
}
