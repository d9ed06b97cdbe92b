import { conflict, notFound } from '@stithy/core'
import {
  findMergeRequestById,
  listMergeRequestAssignees,
  lockMergeRequest,
  setClosings,
  setMergeRequestAssignees,
  type Transaction,
  updateMergeRequestRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import type { Caller } from '../http/call.ts'
import { type Assigned, applyLabelSteps, nextAssignees } from '../issues/write/issue-relations.ts'
import { assigneeRemarks } from '../issues/write/issue-remarks.ts'
import type { MergeRequestItem } from '../items/item.ts'
import { applyTextEffects } from '../mentions/text-effects.service.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remarkAll } from '../system-notes/system-note.service.ts'
import { addTodos, finishTodos } from '../todos/todo.service.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'
import {
  type MergeRequestChange,
  planRequestChange,
  type RequestChangePlan,
} from './update/request-change-plan.ts'
import { changedColumns, requestRemarks } from './update/request-columns.ts'
import {
  applyStateEvent,
  possibleEvent,
  type RequestChangeBy,
  recordStateEvent,
} from './update/request-state.ts'
import { applyRetarget } from './update/retarget.service.ts'

/**
 * Changes a merge request that the caller may update, with its remarks, todos and events, and answers what it
 * has become; what the caller may not set is left as it is (catalogue: merge requests, 2.1 and 3).
 * @throws DomainError `validation_failed`; `conflict` where somebody else changed the texts or the branches
 *   meanwhile, or another open request is in its way; `not_found` where it is gone.
 */
export async function updateMergeRequest(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  asked: MergeRequestChange,
): Promise<MergeRequestItem> {
  const plan = await planRequestChange(app, caller, item, asked)
  const event = await possibleEvent(app, item, plan.change)
  const by = { userId: requireCaller(caller).id, now: app.now() }
  const several = tierAllows(app.config.tier, 'premium')
  await app.db.transaction(async (tx) => {
    const current = await lock(tx, item)
    requireSameTexts(item, current, plan)
    const moved = await applyStateEvent(tx, current, event, by)
    await applyFields(tx, moved ?? current, plan, { ...by, several })
    if (plan.closings !== undefined) {
      await setClosings(tx, { id: item.row.id, issueIds: plan.closings })
    }
    if (moved !== undefined) await recordStateEvent(tx, moved, by)
    tx.onCommit(app.wakeWorker)
  })
  if (event === 'reopen') await renewMergeRequest(app, item.row.id)
  return reload(app, item)
}

async function lock(tx: Transaction, item: MergeRequestItem): Promise<MergeRequestItem> {
  const row = await lockMergeRequest(tx, item.row.id)
  if (row === undefined) throw notFound('Merge Request')
  return { ...item, row }
}

async function reload(app: App, item: MergeRequestItem): Promise<MergeRequestItem> {
  const row = await findMergeRequestById(app.db, item.row.id)
  if (row === undefined) throw notFound('Merge Request')
  const assignees = await listMergeRequestAssignees(app.db, [row.id])
  return { ...item, row, assigneeIds: assignees.map(({ userId }) => userId) }
}

/** @throws DomainError `conflict` where a new text would undo one that is newer than what was read. */
function requireSameTexts(
  { row: read }: MergeRequestItem,
  { row }: MergeRequestItem,
  { change }: RequestChangePlan,
): void {
  if (change.title === undefined && change.description === undefined) return
  if (row.title === read.title && row.description === read.description) return
  throw conflict('409 Conflict: Resource lock')
}

/** Everything but the state; nothing where nothing changes. */
async function applyFields(
  tx: Transaction,
  item: MergeRequestItem,
  plan: RequestChangePlan,
  by: RequestChangeBy & { several: boolean },
): Promise<void> {
  const { userId, now } = by
  const assigned = await applyAssignees(tx, item, plan, by.several)
  const labelled = await applyLabelSteps(tx, item, plan.labels, { userId, at: now, now })
  const columns = changedColumns(item.row, plan)
  if (Object.keys(columns).length === 0 && assigned === undefined && !labelled.changed) return
  if (plan.retarget !== undefined) await applyRetarget(tx, item, plan.retarget, now)
  const count = assigned === undefined ? {} : { assigneeCount: assigned.after.length }
  const { id } = item.row
  await updateMergeRequestRow(tx, id, { ...columns, ...count, updatedAt: now })
  const next = { ...item, row: { ...item.row, ...columns } as MergeRequestItem['row'] }
  const bodies = [
    ...requestRemarks(item.row, next.row, plan),
    ...(await assigneeRemarks(tx, assigned?.before ?? [], assigned?.after ?? [])),
  ]
  await remarkAll(tx, next, { authorId: userId, bodies, at: now })
  const isHandled = ['title', 'description', 'milestoneId'].some((name) => name in columns)
  if (isHandled || labelled.changed || assigned !== undefined) {
    await finishTodos(tx, { item, userId, at: now })
  }
  await addAssignedTodos(tx, next, assigned, by)
  if (plan.effects !== undefined) await applyTextEffects(tx, plan.effects, { at: now })
}

/** Undefined where the assignees stay. */
async function applyAssignees(
  tx: Transaction,
  { row }: MergeRequestItem,
  { assignees: plan }: RequestChangePlan,
  several: boolean,
): Promise<Assigned | undefined> {
  if (plan === undefined) return undefined
  const before = (await listMergeRequestAssignees(tx, [row.id])).map(({ userId }) => userId)
  const after = nextAssignees(before, plan, several)
  if (after.join() === before.join()) return undefined
  await setMergeRequestAssignees(tx, row, after)
  return { before, after }
}

async function addAssignedTodos(
  tx: Transaction,
  item: MergeRequestItem,
  assigned: Assigned | undefined,
  { userId, now }: RequestChangeBy,
): Promise<void> {
  if (assigned === undefined) return
  const userIds = assigned.after.filter((id) => !assigned.before.includes(id))
  await addTodos(tx, { item, userIds, authorId: userId, action: 'assigned', at: now })
}
