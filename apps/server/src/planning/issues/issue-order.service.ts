import { notFound } from '@stithy/core'
import { findIssuePosition, lockProject, moveIssueInProject } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { IssueItem } from '../items/item.ts'
import { type MoveRequest, moveAmong, type VisibleOrder } from '../items/move-among.ts'
import { findReadableIssue } from './issue-subject.ts'

/**
 * Moves an issue among those of its project.
 * @throws DomainError `not_found` if a sibling is none of the project that the caller can read,
 *   `bad_request` if the issue can't be moved there.
 */
export async function reorderIssue(
  app: App,
  caller: Caller,
  { row: { id, projectId } }: IssueItem,
  request: MoveRequest,
): Promise<void> {
  for (const siblingId of [request.move_before_id, request.move_after_id]) {
    if (siblingId === undefined) continue
    const sibling = await findReadableIssue(app, caller, siblingId)
    if (sibling?.row.projectId !== projectId) throw notFound('Issue')
  }
  await app.db.transaction(async (tx) => {
    await lockProject(tx, projectId)
    const order: VisibleOrder = {
      noun: 'Issue',
      title: 'Issue',
      findPosition: (of) => findIssuePosition(tx, { projectId, id: of }),
      // Neighbours on a board have issues of other lists between them.
      hasBetween: async () => false,
      move: (within, move) => moveIssueInProject(within, { projectId, ...move }),
    }
    await moveAmong(tx, order, id, request)
  })
}
