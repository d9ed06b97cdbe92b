import { moveRemark } from '@stithy/core'
import {
  addIssueAssignees,
  copyAwards,
  copyMentions,
  copyReferences,
  copyRemarkSource,
  insertIssue,
  insertIssueNote,
  insertRemarkSource,
  listIssueNotes,
  type Transaction,
  updateIssueRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import { requireProject } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { IssueItem } from '../items/item.ts'
import { copyLabels } from '../labels/labelling.service.ts'
import { newDiscussionId } from '../notes/discussion-id.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remarkNaming, sourceOf } from '../system-notes/system-note.service.ts'
import { addTodos } from '../todos/todo.service.ts'
import { announceIssue } from '../webhooks/item-hooks.ts'
import { applyClosing } from './issue-state.service.ts'
import { countOpenIssue, openIssueDelta } from './lists/open-issues.service.ts'
import { immovable, type MovePlan, planMove, requireMovable } from './move/issue-move-plan.ts'
import { labelledItem } from './write/issue-relations.ts'
import { type Change, finish, lockItem, reload, save } from './write/issue-write.ts'

/**
 * Moves an issue that the caller may read: writes a copy of it with all that belongs to it into another
 * project, closes it, and answers the copy (catalogue: issues, 2.2).
 * @param toProjectRef id or full path
 * @throws DomainError `not_found` where the project is hidden, `bad_request` where the move is not possible,
 *   `forbidden` where the project that it leaves is archived.
 */
export async function moveIssue(
  app: App,
  caller: Caller,
  item: IssueItem,
  toProjectRef: string | number,
): Promise<IssueItem> {
  const target = await requireProject(app, String(toProjectRef), caller)
  requireMovable(caller, item, target)
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  const plan = await planMove(app, caller, item, target, now)
  const copy = await app.db.transaction(async (tx) => {
    const source = await lockItem(tx, item)
    if (source.row.movedToId !== null) throw immovable()
    const made = await writeCopy(tx, plan, by)
    await leave(tx, source, made, by)
    await finish(tx, made, 'created', by)
    tx.onCommit(app.wakeWorker)
    return made
  })
  return reload(app, copy)
}

async function writeCopy(tx: Transaction, plan: MovePlan, by: Change): Promise<IssueItem> {
  const { source, target, assigneeIds } = plan
  const row = await insertIssue(tx, plan.row)
  const made: IssueItem = {
    type: 'issue',
    row: { ...row, projectFullPath: target.row.fullPath },
    project: target,
    assigneeIds,
  }
  await addIssueAssignees(tx, row, assigneeIds)
  const from = { type: 'issue', id: source.row.id } as const
  await copyLabels(tx, from, labelledItem(made), plan.labels)
  await copyNotes(tx, plan, made)
  await copyMentions(tx, { from: from.id, to: row.id, fromNote: 0, toNote: 0 })
  await copyReferences(tx, { from: from.id, to: row.id, projectId: row.projectId })
  await copyAwards(tx, { type: 'issue', from: from.id, to: row.id, projectId: row.projectId })
  const { userNotesCount, upvotes, downvotes } = source.row
  await updateIssueRow(tx, row.id, { userNotesCount, upvotes, downvotes })
  await tellOfCopy(tx, source, made, by)
  return made
}

async function copyNotes(tx: Transaction, plan: MovePlan, { row }: IssueItem): Promise<void> {
  const { source, mentioning, awarded } = plan
  const discussions = new Map<string, string>()
  const after = plan.notes.at(-1)?.id ?? 0
  // What was written since the plan was made.
  const late = await listIssueNotes(tx, { issueId: source.row.id, after })
  for (const note of [...plan.notes, ...late]) {
    const discussionId = discussions.get(note.discussionId) ?? newDiscussionId()
    discussions.set(note.discussionId, discussionId)
    const id = await insertIssueNote(tx, row, { ...note, discussionId })
    const ends = { from: source.row.id, to: row.id, fromNote: note.id, toNote: id }
    if (mentioning.has(note.id)) await copyMentions(tx, ends)
    await tieRemark(tx, plan, ends, note.id > after)
    if (!awarded.has(note.id)) continue
    await copyAwards(tx, { type: 'note', from: note.id, to: id, projectId: row.projectId })
  }
}

/**
 * A copied remark tells of what its original does. One that only now names the project that the issue leaves
 * tells of the issue there, as not everybody who sees the copy may know of that project.
 * @param late written since the plan was made
 */
async function tieRemark(
  tx: Transaction,
  { source, telling, naming }: MovePlan,
  { to, fromNote, toNote }: { to: number; fromNote: number; toNote: number },
  late: boolean,
): Promise<void> {
  if (late || telling.has(fromNote)) await copyRemarkSource(tx, { to, fromNote, toNote })
  else if (naming.has(fromNote)) {
    const copy = { noteId: toNote, targetType: 'issue', targetId: to } as const
    await insertRemarkSource(tx, copy, sourceOf(source))
  }
}

/** Remarks, todos, count and hooks of the copy. */
async function tellOfCopy(
  tx: Transaction,
  source: IssueItem,
  made: IssueItem,
  { userId, now }: Change,
): Promise<void> {
  const { row, assigneeIds } = made
  const body = moveRemark('from', referenceTo(source))
  await remarkNaming(tx, made, sourceOf(source), { authorId: userId, body, at: now })
  const todos = { item: made, userIds: assigneeIds, authorId: userId, at: now }
  if (row.state === 'opened') await addTodos(tx, { ...todos, action: 'assigned' })
  await countOpenIssue(tx, row.projectId, openIssueDelta(undefined, row))
  await announceIssue(tx, { row, action: 'open', userId, at: now })
}

/** Closes the source, where it is open, without saying so, and lets it know where it went. */
async function leave(
  tx: Transaction,
  source: IssueItem,
  made: IssueItem,
  by: Change,
): Promise<void> {
  const body = moveRemark('to', referenceTo(made))
  await remarkNaming(tx, source, sourceOf(made), { authorId: by.userId, body, at: by.now })
  const moved = await save(tx, source, { movedToId: made.row.id, updatedAt: by.now })
  const closed = await applyClosing(tx, moved, by, { silent: true })
  if (closed !== undefined) await finish(tx, closed, 'closed', by)
}

/** `group/project#1` */
function referenceTo({ row }: IssueItem): string {
  return `${row.projectFullPath}#${row.iid}`
}
