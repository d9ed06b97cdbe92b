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
  findLabelsByTitle,
  insertLabel,
  insertLabelEvents,
  insertLabelLinks,
  keepLabelLinks,
  type Labelled,
  listLabelsOf,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentLabelDetails } from './label.presenter.ts'

/** Which labels names mean in a project, and which of them have to be made first. */
export interface LabelPlan {
  projectId: number
  /** Ids of those that are there. */
  labelIds: readonly number[]
  /** Titles of those that are not. */
  newTitles: readonly string[]
}

/**
 * Finds the labels that names mean in a project: its own before those of the groups above it. With `create`,
 * unknown names are to become labels of the project where the caller may manage its labels; otherwise they are
 * left out (catalogue: issues, 2.2). At most one query.
 * @throws DomainError `validation_failed` for a name that no new label can have.
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
  const known = new Set(found.map((label) => label.title))
  const mayCreate = create && decideOnProject('admin_labels', caller.facts, facts).allowed
  const newTitles = mayCreate ? titles.filter((title) => !known.has(title)) : []
  for (const title of newTitles) {
    const errors = labelErrors({ title })
    if (errors?.title !== undefined) throw validationFailed({ labels: errors.title })
  }
  return { projectId: row.id, labelIds: found.map((label) => label.id), newTitles }
}

/** How a plan changes the labels that a thing has. */
export interface Labelling {
  /** `set` takes away what the plan does not name. */
  mode: 'set' | 'add' | 'remove'
  userId: number
  /** Milliseconds. */
  at: number
}

/**
 * Makes the new labels of a plan and gives or takes its labels, with their events and the count of the thing.
 * Answers whether anything changed. What two calls do at once is done once.
 */
export async function applyLabels(
  tx: Transaction,
  target: Labelled,
  plan: LabelPlan,
  { mode, userId, at }: Labelling,
): Promise<boolean> {
  const event = (action: 'add' | 'remove', labelIds: readonly number[]) =>
    insertLabelEvents(tx, target, { action, labelIds, userId, at })
  if (mode === 'remove') {
    const removed = await deleteLabelLinks(tx, target, plan.labelIds)
    await event('remove', removed)
    await addToLabelCount(tx, target, -removed.length)
    return removed.length > 0
  }
  const labelIds = [...plan.labelIds, ...(await makeLabels(tx, plan, at))]
  const added = await insertLabelLinks(tx, target, labelIds)
  const removed = mode === 'set' ? await keepLabelLinks(tx, target, labelIds) : []
  await event('add', added)
  await event('remove', removed)
  await addToLabelCount(tx, target, added.length - removed.length)
  return added.length + removed.length > 0
}

/** The ids of the labels that were unknown when the plan was made; somebody may have made them since. */
async function makeLabels(
  tx: Transaction,
  { projectId, newTitles }: LabelPlan,
  createdAt: number,
): Promise<number[]> {
  const made = { projectId, groupId: null, color: defaultLabelColor, description: null, createdAt }
  const ids: number[] = []
  const taken: string[] = []
  for (const title of newTitles) {
    const label = await insertLabel(tx, { ...made, title })
    if (label === undefined) taken.push(title)
    else ids.push(label.id)
  }
  // The namespace 0 has no groups above it: what was taken is the project's own.
  const others = await findLabelsByTitle(tx, { projectId, namespaceId: 0, titles: taken })
  return [...ids, ...others.map((label) => label.id)]
}

/** The labels of several things, each thing's by title; things without labels are left out. One query. */
export async function labelsOf(
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

/**
 * Gives a copy the labels of its original as the plan found them by title in the place of the copy, and its label
 * events (catalogue: issues, 2.5): nothing is noted as given anew.
 */
export async function copyLabels(
  tx: Transaction,
  from: Pick<Labelled, 'type' | 'id'>,
  to: Labelled,
  plan: LabelPlan,
): Promise<void> {
  const added = await insertLabelLinks(tx, to, plan.labelIds)
  await addToLabelCount(tx, to, added.length)
  await copyLabelEvents(tx, { type: from.type, id: from.id }, to, plan.labelIds)
}
