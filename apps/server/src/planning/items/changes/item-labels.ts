import { listLabelsOf, type Transaction } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { ChangeBy } from '../../../platform/changes/change.ts'
import type { Caller } from '../../../platform/http/call.ts'
import {
  applyLabels,
  type LabelPlace,
  type LabelPlan,
  planLabels,
} from '../../labels/labelling.service.ts'
import type { PlannedItem } from '../item.ts'
import type { ItemChange } from './item-change.ts'

export interface LabelStep {
  plan: LabelPlan
  mode: 'set' | 'add' | 'remove'
}

/** Plans the labels to set, add and remove, in this order. At most three queries. */
export async function planLabelSteps(
  app: App,
  caller: Caller,
  place: LabelPlace,
  { labelNames, addLabelNames, removeLabelNames }: ItemChange,
): Promise<LabelStep[]> {
  const steps: LabelStep[] = []
  const step = async (mode: LabelStep['mode'], names: readonly string[] | undefined) => {
    if (names === undefined) return
    const create = mode !== 'remove'
    steps.push({ mode, plan: await planLabels(app, caller, place, names, { create }) })
  }
  await step('set', labelNames)
  await step('add', addLabelNames)
  await step('remove', removeLabelNames)
  return steps
}

/** Changes the labels of an item; returns the previous label ids, undefined if unchanged. */
export async function applyLabelSteps(
  tx: Transaction,
  item: PlannedItem,
  steps: readonly LabelStep[],
  by: ChangeBy & { userId: number },
): Promise<number[] | undefined> {
  if (steps.length === 0) return undefined
  const before = await listLabelsOf(tx, { type: item.type, ids: [item.row.id] })
  let changed = false
  for (const { plan, mode } of steps) {
    const labels = await applyLabels(tx, labelTarget(item), plan, { mode, ...by })
    if (labels.added.length + labels.removed.length > 0) changed = true
  }
  return changed ? before.map((label) => label.id) : undefined
}

/** The item as the target of label links. */
export function labelTarget(item: PlannedItem) {
  const { type, row } = item
  const projectId = item.type === 'epic' ? null : item.row.projectId
  return { type, id: row.id, projectId, createdAt: row.createdAt }
}
