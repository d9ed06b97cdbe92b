import { isWorkInProgress, notFound, type SystemNote, withoutWorkInProgress } from '@stithy/core'
import {
  clearedAutoMerge,
  findMergeRequestById,
  listMergeRequestAssignees,
  listVersionCommits,
  lockMergeRequest,
  type MergeRequestRow,
  setClosings,
  setMergeRequestAssignees,
  type Transaction,
  toFlag,
  updateMergeRequestRow,
} from '@stithy/store'
import type { ItemChange } from '../../../planning/items/changes/item-change.ts'
import {
  descriptionField,
  type ItemField,
  lockField,
  milestoneField,
} from '../../../planning/items/changes/item-field.ts'
import { editorColumns, type WorkItemType } from '../../../planning/items/changes/work-item-type.ts'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import { titleAndDescription } from '../../../planning/mentions/text-effects.service.ts'
import type { App } from '../../../platform/app.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { autoMergeAborted } from '../auto-merge-abort.ts'
import { planClosings } from '../closing/closing.service.ts'
import { planCollaboration } from './collaboration.service.ts'
import { close, possibleEvent, reopen } from './merge-request-states.ts'
import { applyRetarget, planRetarget, type Retarget } from './retarget.service.ts'

/** What a change of a merge request needs in addition to what all items need. */
interface MergeRequestPlan {
  retarget: Retarget | undefined
  /** Ids of the issues that it closes, if those may have changed. */
  closings: readonly number[] | undefined
  /** Undefined if it stays as it is. */
  allowCollaboration: boolean | undefined
}

type Field = ItemField<MergeRequestRow, MergeRequestPlan>

const titleField: Field = {
  setting: 'title',
  finishesTodos: true,
  columns: ({ change: { title } }) =>
    title === undefined ? undefined : { title, workInProgress: toFlag(isWorkInProgress(title)) },
  notes: ({ title: from }, { title: to }) => titleNotes(from, to),
}

/** The WIP prefix has a separate system note; the title gets one only if the rest changed. */
function titleNotes(from: string, to: string): SystemNote[] {
  const notes: SystemNote[] = []
  const marked = isWorkInProgress(to)
  if (marked !== isWorkInProgress(from)) notes.push({ action: 'work_in_progress_changed', marked })
  if (withoutWorkInProgress(from) !== withoutWorkInProgress(to)) {
    notes.push({ action: 'title_changed', from, to })
  }
  return notes
}

const targetBranchField: Field = {
  setting: 'targetBranch',
  columns: ({ more: { retarget } }) =>
    retarget && { targetBranch: retarget.branch, ...clearedAutoMerge },
  notes: targetNotes,
}

const squashField: Field = {
  setting: 'squash',
  columns: ({ change: { squash } }) =>
    squash === undefined ? undefined : { squash: toFlag(squash) },
  notes: () => [],
}

/** Without its fork, a merge request keeps the setting. */
const removeSourceBranchField: Field = {
  setting: 'removeSourceBranch',
  columns: ({ change: { removeSourceBranch: remove } }, row) =>
    remove === undefined || row.sourceProjectId === null
      ? undefined
      : { forceRemoveSourceBranch: toFlag(remove) },
  notes: () => [],
}

const collaborationField: Field = {
  setting: 'allowCollaboration',
  columns: ({ more: { allowCollaboration } }) =>
    allowCollaboration === undefined
      ? undefined
      : { allowCollaboration: toFlag(allowCollaboration) },
  notes: () => [],
}

/** A merge that waits for a pipeline is aborted. */
function targetNotes(before: MergeRequestRow, { targetBranch: to }: MergeRequestRow): SystemNote[] {
  const { targetBranch: from } = before
  if (from === to) return []
  const changed = { action: 'target_branch_changed', from, to } as const
  return [changed, ...autoMergeAborted(before, 'target_changed')]
}

/** How merge requests are changed. */
export const mergeRequestType: WorkItemType<MergeRequestItem, MergeRequestPlan> = {
  planningAbility: 'admin_merge_requests',
  fields: [
    titleField,
    descriptionField,
    milestoneField,
    lockField,
    targetBranchField,
    squashField,
    removeSourceBranchField,
    collaborationField,
  ],
  planMore,
  possibleEvent,
  lock,
  editor: editorColumns,
  async save(tx, item, columns, { more: { retarget } }, by) {
    if (retarget !== undefined) await applyRetarget(tx, item, retarget, by)
    await updateMergeRequestRow(tx, item.row.id, columns)
  },
  assignees: {
    list: async (q, { row }) =>
      (await listMergeRequestAssignees(q, [row.id])).map(({ userId }) => userId),
    set: (tx, { row }, userIds) => setMergeRequestAssignees(tx, row, userIds),
  },
  close,
  reopen,
  recordUpdate: (tx, update) => recordChange(tx, { kind: 'merge_request.updated', ...update }),
  async finish(tx, { row: { id } }, { more: { closings } }) {
    if (closings !== undefined) await setClosings(tx, { id, issueIds: closings })
  },
  reload,
}

async function planMore(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  after: MergeRequestItem,
  change: ItemChange,
): Promise<MergeRequestPlan> {
  const { targetBranch } = change
  return {
    retarget: targetBranch === undefined ? undefined : await planRetarget(app, item, targetBranch),
    closings: await planNewClosings(app, item, after, change),
    allowCollaboration: await planCollaboration(app, caller, item, change),
  }
}

async function planNewClosings(
  app: App,
  { row }: MergeRequestItem,
  after: MergeRequestItem,
  change: ItemChange,
): Promise<readonly number[] | undefined> {
  const sameTexts = titleAndDescription(row) === titleAndDescription(after.row)
  const sameTarget = row.targetBranch === after.row.targetBranch
  if (sameTexts && sameTarget && change.stateEvent !== 'reopen') return undefined
  return planClosings(app, after.row, await listVersionCommits(app.db, row.latestVersionId))
}

async function lock(tx: Transaction, item: MergeRequestItem): Promise<MergeRequestItem> {
  const row = await lockMergeRequest(tx, item.row.id)
  if (row === undefined) throw notFound('Merge Request')
  return { ...item, row }
}

/** The updated merge request. Two queries. @throws DomainError `not_found` if it was deleted. */
export async function reload(app: App, item: MergeRequestItem): Promise<MergeRequestItem> {
  const row = await findMergeRequestById(app.db, item.row.id)
  if (row === undefined) throw notFound('Merge Request')
  const assignees = await listMergeRequestAssignees(app.db, [row.id])
  return { ...item, row, assigneeIds: assignees.map(({ userId }) => userId) }
}
