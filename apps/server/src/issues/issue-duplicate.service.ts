import { decideOnIssue, duplicatedRemark, duplicateRemark } from '@stithy/core'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { IssueItem } from '../items/item.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remarkNaming, sourceOf } from '../system-notes/system-note.service.ts'
import { issueFacts } from './issue-found.ts'
import { referenceTo } from './issue-reference.ts'
import { applyClosing } from './issue-state.service.ts'
import { finish, lockItem, reload, save } from './write/issue-write.ts'

/**
 * Marks an issue, which the caller may change, as a duplicate of another one that they may read: remarks it on
 * both, and closes it (catalogue: issues, 3 and 4). Nothing happens where it is known.
 * @throws DomainError `forbidden` where the caller may not comment on the other one.
 */
export async function markDuplicate(
  app: App,
  caller: Caller,
  issue: IssueItem,
  original: IssueItem,
): Promise<IssueItem> {
  const { project, row, assigneeIds } = original
  const facts = issueFacts(row, assigneeIds, caller.facts.userId)
  enforce(decideOnIssue('comment_on_issue', caller.facts, project.facts, facts), caller)
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction(async (tx) => {
    const current = await lockItem(tx, issue)
    if (current.row.duplicatedToId === original.row.id) return
    const said = { authorId: by.userId, at: now }
    const body = duplicateRemark(referenceTo(original, issue))
    const back = duplicatedRemark(referenceTo(issue, original))
    await remarkNaming(tx, current, sourceOf(original), { ...said, body })
    await remarkNaming(tx, original, sourceOf(current), { ...said, body: back })
    const marked = await save(tx, current, { duplicatedToId: original.row.id, updatedAt: now })
    const closed = await applyClosing(tx, marked, by)
    await finish(tx, closed ?? marked, closed && 'closed', by)
    tx.onCommit(app.wakeWorker)
  })
  return reload(app, issue)
}
