import {
  decideOnGroup,
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
  findGroupLabelsByTitle,
  findLabelsByTitle,
  insertLabel,
  insertLabelLinks,
  type Labelable,
  type LabelRef,
  listLabelsOf,
  type Queries,
  type Transaction,
} from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { ChangeBy } from '../../platform/changes/change.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { LabelChange } from './label.changes.ts'
import { presentLabelDetails } from './label.presenter.ts'

/** A project or group, whose labels, and those of the groups above it, its items may have. */
export type LabelPlace = { project: ProjectSubject } | { group: GroupSubject }

/** Where new labels belong: to a project, or to a group. */
type LabelOwner = { projectId: number; groupId: null } | { projectId: null; groupId: number }

/** The labels that names refer to in a project or group, including those to create first. */
export interface LabelPlan {
  owner: LabelOwner
  /** Ids of existing labels. */
  labelIds: readonly number[]
  /** Titles of labels to create. */
  newTitles: readonly string[]
}

/**
 * Finds the labels of a project or group by name: its own before those of the groups above it. With
 * `create`, unknown names become labels of the project or group if the caller may manage its
 * labels; otherwise they are ignored. At most one query.
 * @throws DomainError `validation_failed` for a name that is not a valid title.
 */
export async function planLabels(
  app: App,
  caller: Caller,
  place: LabelPlace,
  names: readonly string[],
  { create }: { create: boolean },
): Promise<LabelPlan> {
  const titles = labelNames(names)
  const found = await findUsableLabels(app.db, place, titles)
  const existing = new Set(found.map((label) => label.title))
  const mayCreate = create && mayCreateLabels(caller, place)
  const newTitles = mayCreate ? titles.filter((title) => !existing.has(title)) : []
  for (const title of newTitles) {
    const errors = labelErrors({ title })
    if (errors?.title !== undefined) throw validationFailed({ labels: errors.title })
  }
  return { owner: ownerIn(place), labelIds: found.map((label) => label.id), newTitles }
}

function findUsableLabels(
  q: Queries,
  place: LabelPlace,
  titles: readonly string[],
): Promise<LabelRef[]> {
  if ('group' in place) return findGroupLabelsByTitle(q, { groupId: place.group.row.id, titles })
  const { id: projectId, namespaceId } = place.project.row
  return findLabelsByTitle(q, { projectId, namespaceId, titles })
}

function mayCreateLabels({ facts }: Caller, place: LabelPlace): boolean {
  return 'group' in place
    ? decideOnGroup('admin_group_labels', facts, place.group.facts).allowed
    : decideOnProject('admin_labels', facts, place.project.facts).allowed
}

function ownerIn(place: LabelPlace): LabelOwner {
  return 'group' in place
    ? { projectId: null, groupId: place.group.row.id }
    : { projectId: place.project.row.id, groupId: null }
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
  { owner, newTitles }: LabelPlan,
  createdAt: number,
): Promise<number[]> {
  const values = {
    ...owner,
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
  const existing = await findOwnLabels(tx, owner, existingTitles)
  return [...ids, ...existing.map((label) => label.id)]
}

function findOwnLabels(
  q: Queries,
  { projectId, groupId }: LabelOwner,
  titles: readonly string[],
): Promise<LabelRef[]> {
  if (groupId !== null) return findGroupLabelsByTitle(q, { groupId, titles })
  // No namespace has the id 0: finds only labels of the project itself.
  return findLabelsByTitle(q, { projectId, namespaceId: 0, titles })
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
