import { addIssueAssignees, insertIssue, type Transaction } from '@stithy/store'
import { requireProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { labelTarget } from '../items/changes/item-labels.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { IssueItem } from '../items/item.ts'
import { copyLabels } from '../labels/labelling.service.ts'
import { sourceOf } from '../system-notes/system-note.service.ts'
import { writeContents } from './copy/issue-copy.service.ts'
import { closeCopied } from './issue-states.ts'
import { lockItem, reload } from './issue-type.ts'
import { cannotMove, type MovePlan, planMove, requireMovable } from './move/issue-move-plan.ts'

/**
 * Moves an issue that the caller may read: copies it with everything that belongs to it into
 * another project, closes it, and returns the copy.
 * @param toProjectRef id or full path
 * @throws DomainError `not_found` if the target is hidden, `bad_request` if the move is not
 *   possible, `forbidden` if the source project is archived.
 */
export async function moveIssue(
  app: App,
  caller: Caller,
  issue: IssueItem,
  toProjectRef: string | number,
): Promise<IssueItem> {
  const target = await requireProject(app, String(toProjectRef), caller)
  requireMovable(caller, issue, target)
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  const plan = await planMove(app, caller, issue, target, now)
  const copy = await app.db.transaction(async (tx) => {
    const source = await lockItem(tx, issue)
    if (source.row.movedToId !== null) throw cannotMove()
    const item = await writeCopy(tx, plan, source, by)
    const notes = [{ action: 'moved_from', source: sourceOf(source) }] as const
    await recordChange(tx, { kind: 'issue.created', ...by, item, texts: undefined, notes })
    await recordChange(tx, { kind: 'issue.moved', ...by, source, item })
    const note = { action: 'moved_to', source: sourceOf(item) } as const
    await closeCopied(tx, source, { columns: { movedToId: item.row.id }, note }, by)
    return item
  })
  return reload(app, copy)
}

async function writeCopy(
  tx: Transaction,
  plan: MovePlan,
  source: IssueItem,
  by: ItemChangeBy,
): Promise<IssueItem> {
  const { target, assigneeIds } = plan
  const row = await insertIssue(tx, plan.row)
  const copy: IssueItem = {
    type: 'issue',
    row: { ...row, projectFullPath: target.row.fullPath },
    project: target,
    assigneeIds,
  }
  await addIssueAssignees(tx, row, assigneeIds)
  const from = { type: 'issue', id: source.row.id } as const
  await copyLabels(tx, from, labelTarget(copy), plan.labels)
  await writeContents(tx, { source, copy, plan: plan.contents }, by)
  return copy
}
