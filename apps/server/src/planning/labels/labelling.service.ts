import {
  decideOnProject,
  defaultLabelColor,
  type LabelDetails,
  type LabelledType,
  labelErrors,
  labelNames,
  validationFailed,
} from '@stithy/core'
import {
  addToLabelCount,
  copyLabelEvents,
  deleteLabelLinks,
  deleteOtherLabelLinks,
  findLabelsByTitle,
  insertLabel,
  insertLabelLinks,
  type Labelable,
  listLabelsOf,
  type Transaction,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { ChangeBy } from '../../platform/changes/change.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { LabelChange } from './label.changes.ts'
import { presentLabelDetails } from './label.presenter.ts'

/** The labels that names refer to in a project, including those to create first. */
export interface LabelPlan {
  projectId: number
  /** Ids of existing labels. */
  labelIds: readonly number[]
  /** Titles of labels to create. */
  newTitles: readonly string[]
}

/**
 * Finds the labels of a project by name: its own before those of the groups above it. With
 * `create`, unknown names become labels of the project if the caller may manage its labels;
 * otherwise they are ignored. At most one query.
 * @throws DomainError `validation_failed` for a name that is not a valid title.
 */
export async function planLabels(
  app: App,
  caller: Caller,
  { row, facts }: ProjectSubject,
  names: readonly string[],
  { create }: { create: boolean },
): Promise<LabelPlan> {
  const titles = labelNames(names)
  const scope = { projectId: row.id, namespaceId: row.namespaceId }
  const found = await findLabelsByTitle(app.db, { ...scope, titles })
  const existing = new Set(found.map((label) => label.title))
  const mayCreate = create && decideOnProject('admin_labels', caller.facts, facts).allowed
  const newTitles = mayCreate ? titles.filter((title) => !existing.has(title)) : []
  for (const title of newTitles) {
    const errors = labelErrors({ title })
    if (errors?.title !== undefined) throw validationFailed({ labels: errors.title })
  }
  return { projectId: row.id, labelIds: found.map((label) => label.id), newTitles }
}

/** How a plan is applied to the labels of an item. */
export interface Labelling extends ChangeBy {
  userId: number
  /** `set` removes labels that are not in the plan. */
  mode: 'set' | 'add' | 'remove'
}

/**
 * Creates the new labels of a plan, adds its labels to an item or removes them, and updates the
 * label count of the item. Concurrent calls for the same label take effect once.
 */
export async function applyLabels(
  tx: Transaction,
  target: Labelable,
  plan: LabelPlan,
  { mode, ...by }: Labelling,
): Promise<LabelChange> {
  const change = await changeLinks(tx, target, plan, mode, by.at)
  const { added, removed } = change
  if (added.length + removed.length === 0) return change
  await addToLabelCount(tx, target, added.length - removed.length)
  await recordChange(tx, { kind: 'item.labeled', ...by, target, ...change })
  return change
}

async function changeLinks(
  tx: Transaction,
  target: Labelable,
  plan: LabelPlan,
  mode: Labelling['mode'],
  at: number,
): Promise<LabelChange> {
  if (mode === 'remove') {
    return { added: [], removed: await deleteLabelLinks(tx, target, plan.labelIds) }
  }
  const labelIds = [...plan.labelIds, ...(await createMissingLabels(tx, plan, at))]
  const added = await insertLabelLinks(tx, target, labelIds)
  return { added, removed: mode === 'set' ? await deleteOtherLabelLinks(tx, target, labelIds) : [] }
}

/**
 * Creates the labels that were unknown to the plan and returns their ids; another call may have
 * created them since.
 */
async function createMissingLabels(
  tx: Transaction,
  { projectId, newTitles }: LabelPlan,
  createdAt: number,
): Promise<number[]> {
  const values = {
    projectId,
    groupId: null,
    color: defaultLabelColor,
    description: null,
    createdAt,
  }
  const ids: number[] = []
  const existingTitles: string[] = []
  for (const title of newTitles) {
    const label = await insertLabel(tx, { ...values, title })
    if (label === undefined) existingTitles.push(title)
    else ids.push(label.id)
  }
  // No namespace has the id 0: finds only labels of the project itself.
  const existing = await findLabelsByTitle(tx, {
    projectId,
    namespaceId: 0,
    titles: existingTitles,
  })
  return [...ids, ...existing.map((label) => label.id)]
}

/** The labels of items, sorted by title; items without labels are left out. One query. */
export async function loadLabels(
  app: App,
  type: LabelledType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LabelDetails[]>> {
  const byTarget = new Map<number, LabelDetails[]>()
  if (ids.length === 0) return byTarget
  for (const { targetId, ...label } of await listLabelsOf(app.db, { type, ids })) {
    const labels = byTarget.get(targetId)
    if (labels === undefined) byTarget.set(targetId, [presentLabelDetails(label)])
    else labels.push(presentLabelDetails(label))
  }
  return byTarget
}

/** Copies labels and label events to a copy of an item, without new label events. */
export async function copyLabels(
  tx: Transaction,
  from: Pick<Labelable, 'type' | 'id'>,
  to: Labelable,
  plan: LabelPlan,
): Promise<void> {
  const added = await insertLabelLinks(tx, to, plan.labelIds)
  await addToLabelCount(tx, to, added.length)
  await copyLabelEvents(tx, { type: from.type, id: from.id }, to, plan.labelIds)
}
