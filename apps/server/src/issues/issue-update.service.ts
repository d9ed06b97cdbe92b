import { conflict } from '@stithy/core'
import type { IssueChanges, Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import type { Caller } from '../http/call.ts'
import type { IssueItem } from '../items/item.ts'
import { applyTextEffects } from '../mentions/text-effects.service.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remarkAll } from '../system-notes/system-note.service.ts'
import { removeHiddenTodosLater } from '../todos/lost-access.service.ts'
import { addTodos, finishTodos } from '../todos/todo.service.ts'
import { announceIssue } from '../webhooks/item-hooks.ts'
import type { IssueChange } from './issue-input.ts'
import { applyClosing, applyReopening } from './issue-state.service.ts'
import { type ChangePlan, planChange } from './write/issue-change-plan.ts'
import { changedColumns, hookChanges } from './write/issue-columns.ts'
import { type Assigned, applyAssignees, applyLabelSteps } from './write/issue-relations.ts'
import { assigneeRemarks, columnRemarks } from './write/issue-remarks.ts'
import { type Change, finish, lockItem, reload, save } from './write/issue-write.ts'

/**
 * Changes an issue that the caller may update, with its remarks, todos and hooks, and answers what it has
 * become; what the caller may not set is left as it is (catalogue: issues, 2.1 and 4).
 * @param options.at stamps the remarks and `updated_at`, where an owner says when it was; milliseconds.
 * @throws DomainError `validation_failed`; `conflict` where somebody else changed the texts meanwhile;
 *   `not_found` where it is gone.
 */
export async function updateIssue(
  app: App,
  caller: Caller,
  item: IssueItem,
  change: IssueChange,
  options: { at?: number | undefined } = {},
): Promise<IssueItem> {
  const plan = await planChange(app, caller, item, change)
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: options.at ?? now, now }
  const several = tierAllows(app.config.tier, 'premium')
  await app.db.transaction(async (tx) => {
    const current = await lockItem(tx, item)
    requireSameTexts(item, current, plan)
    const { moved, event } = await applyStateEvent(tx, current, plan.change, by)
    const changed = await applyFields(tx, moved, plan, { ...by, several })
    if (event === undefined && changed === undefined) return
    await finish(tx, changed ?? moved, event, by)
    tx.onCommit(app.wakeWorker)
  })
  return reload(app, item)
}

/** @throws DomainError `conflict` where a new text would undo one that is newer than what was read. */
function requireSameTexts(
  { row: read }: IssueItem,
  { row }: IssueItem,
  { change }: ChangePlan,
): void {
  if (change.title === undefined && change.description === undefined) return
  if (row.title === read.title && row.description === read.description) return
  throw conflict('409 Conflict: Resource lock')
}

async function applyStateEvent(
  tx: Transaction,
  item: IssueItem,
  { stateEvent }: IssueChange,
  by: Change,
): Promise<{ moved: IssueItem; event?: 'closed' | 'reopened' }> {
  if (stateEvent === 'close') {
    const closed = await applyClosing(tx, item, by)
    if (closed !== undefined) return { moved: closed, event: 'closed' }
  }
  if (stateEvent === 'reopen') {
    const reopened = await applyReopening(tx, item, by)
    if (reopened !== undefined) return { moved: reopened, event: 'reopened' }
  }
  return { moved: item }
}

/** Everything but the state; undefined where nothing changes. */
async function applyFields(
  tx: Transaction,
  item: IssueItem,
  plan: ChangePlan,
  by: Change & { several: boolean },
): Promise<IssueItem | undefined> {
  const assigned = await applyAssignees(tx, item, plan.assignees, by.several)
  const labelled = await applyLabelSteps(tx, item, plan.labels, by)
  const columns = changedColumns(item.row, plan)
  const before = assigned?.before ?? []
  const after = assigned?.after ?? []
  if (Object.keys(columns).length === 0 && assigned === undefined && !labelled.changed) {
    return undefined
  }
  const count = assigned === undefined ? {} : { assigneeCount: after.length }
  const next = await save(tx, item, { ...columns, ...count, updatedAt: by.at })
  const bodies = [
    ...columnRemarks(item.row, next.row, plan.milestone),
    ...(await assigneeRemarks(tx, before, after)),
  ]
  await remarkAll(tx, next, { authorId: by.userId, bodies, at: by.at })
  await applyTodos(tx, next, { columns, assigned, labelled: labelled.changed }, by)
  if (plan.effects !== undefined) await applyTextEffects(tx, plan.effects, { at: by.now })
  await announceIssue(tx, {
    row: next.row,
    action: 'update',
    userId: by.userId,
    at: by.now,
    changes: hookChanges(item.row, next.row),
    previous: { assigneeIds: assigned?.before, labelIds: labelled.previous },
  })
  return next
}

interface Applied {
  columns: IssueChanges
  assigned: Assigned | undefined
  labelled: boolean
}

/**
 * What the change does to todos: those of who makes it are done, unless it is about other things than texts,
 * people, labels and milestone; new assignees get some.
 */
async function applyTodos(
  tx: Transaction,
  item: IssueItem,
  { columns, assigned, labelled }: Applied,
  { userId, now }: Change,
): Promise<void> {
  const handled = ['title', 'description', 'milestoneId'].some((name) => name in columns)
  if (handled || labelled || assigned !== undefined) {
    await finishTodos(tx, { item, userId, at: now })
  }
  if (columns.confidential === 1) await removeHiddenTodosLater(tx, { issueId: item.row.id }, now)
  if (assigned === undefined) return
  const userIds = assigned.after.filter((id) => !assigned.before.includes(id))
  await addTodos(tx, { item, userIds, authorId: userId, action: 'assigned', at: now })
}
