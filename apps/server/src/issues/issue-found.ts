import { decideOnIssue, type IssueAbility, type IssueFacts, notFound } from '@stithy/core'
import { findIssue, type IssueRow, listIssueAssignees } from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import type { IssueItem } from '../items/item.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/**
 * The issue with this number, as far as the caller may see it, and may do `ability` to it. Two queries.
 * @throws DomainError `not_found` where it is hidden, `forbidden` where it is only readable.
 */
export async function requireIssue(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  iid: number,
  ability: IssueAbility = 'read_issue',
): Promise<IssueItem> {
  const row = await findIssue(app.db, { projectId: project.row.id, iid })
  if (row === undefined) throw notFound('Issue')
  const assignees = row.assigneeCount === 0 ? [] : await listIssueAssignees(app.db, [row.id])
  const item = { type: 'issue', row, project, assigneeIds: assignees.map((a) => a.userId) } as const
  const facts = issueFacts(row, item.assigneeIds, caller.facts.userId)
  const decide = (name: IssueAbility) => decideOnIssue(name, caller.facts, project.facts, facts)
  if (!decide('read_issue').allowed) throw notFound('Issue')
  enforce(decide(ability), caller)
  return item
}

/** What the policy needs to know of an issue. */
export function issueFacts(
  row: IssueRow,
  assigneeIds: readonly number[],
  userId: number | null,
): IssueFacts {
  return {
    confidential: row.confidential === 1,
    discussionLocked: row.discussionLocked === 1,
    authorId: row.authorId,
    assigned: userId !== null && assigneeIds.includes(userId),
  }
}
