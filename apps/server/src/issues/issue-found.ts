import {
  type Decision,
  decideOnIssue,
  type IssueAbility,
  type IssueFacts,
  notFound,
} from '@stithy/core'
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
  const item = await findItem(app, project, iid)
  if (!decide('read_issue', caller, item).allowed) throw notFound('Issue')
  enforce(decide(ability, caller, item), caller)
  return item
}

/**
 * As `requireIssue` for who is about to change the issue; an issue that is hidden is forbidden here, as v4
 * clients know it (catalogue: issues, 2.1).
 * @throws DomainError `not_found` where there is none, `forbidden`.
 */
export async function requireIssueToUpdate(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  iid: number,
): Promise<IssueItem> {
  const item = await findItem(app, project, iid)
  enforce(decide('update_issue', caller, item), caller)
  return item
}

async function findItem(app: App, project: ProjectSubject, iid: number): Promise<IssueItem> {
  const row = await findIssue(app.db, { projectId: project.row.id, iid })
  if (row === undefined) throw notFound('Issue')
  const assignees = row.assigneeCount === 0 ? [] : await listIssueAssignees(app.db, [row.id])
  return { type: 'issue', row, project, assigneeIds: assignees.map(({ userId }) => userId) }
}

function decide(ability: IssueAbility, { facts }: Caller, item: IssueItem): Decision {
  const { row, project, assigneeIds } = item
  return decideOnIssue(ability, facts, project.facts, issueFacts(row, assigneeIds, facts.userId))
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
