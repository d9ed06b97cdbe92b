import { type IssueFacts, issuePolicy, notFound } from '@stithy/core'
import { findIssue, findIssuesById, listIssueAssignees } from '@stithy/store'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import {
  type DecidedCaller,
  type SubjectRequest,
  subjectType,
} from '../../platform/http/subjects.ts'
import type { IssueDraft, IssueItem } from '../items/item.ts'

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    issue: IssueItem
  }
  interface DecidedSubjects {
    issue: IssueDraft
  }
}

/** The issue of `:issue_iid`. */
export const issueSubjectType = subjectType({
  policy: issuePolicy,
  find: ({ app, params, parent }: SubjectRequest<ProjectSubject>) =>
    findIssueItem(app, parent, Number(params.issue_iid)),
  factsOf: ({ row, project, assigneeIds }: IssueDraft, { facts }) => ({
    project: project.facts,
    issue: issueFacts(row, assigneeIds, facts.userId),
  }),
})

/** Finds an issue by iid, without a permission check. Two queries. */
async function findIssueItem(
  app: App,
  project: ProjectSubject,
  iid: number,
): Promise<IssueItem | undefined> {
  const row = await findIssue(app.db, { projectId: project.row.id, iid })
  if (row === undefined) return undefined
  const assignees = row.assigneeCount === 0 ? [] : await listIssueAssignees(app.db, [row.id])
  return { type: 'issue', row, project, assigneeIds: assignees.map(({ userId }) => userId) }
}

/** Finds an issue by its id that the caller may read. At most three queries. */
export async function findReadableIssue(
  app: App,
  caller: DecidedCaller,
  id: number,
): Promise<IssueItem | undefined> {
  const [row] = await findIssuesById(app.db, [id])
  const project = row && (await loadProject(app, String(row.projectId), caller))
  if (row === undefined || project === undefined) return undefined
  const assignees = row.assigneeCount === 0 ? [] : await listIssueAssignees(app.db, [id])
  const assigneeIds = assignees.map(({ userId }) => userId)
  const item: IssueItem = { type: 'issue', row, project, assigneeIds }
  return decideOn(app, 'issue', 'read_issue', item, caller).allowed ? item : undefined
}

/** Finds an issue by iid that the caller may read. @throws DomainError `not_found` */
export async function requireIssue(
  app: App,
  caller: DecidedCaller,
  project: ProjectSubject,
  iid: number,
): Promise<IssueItem> {
  const item = await findIssueItem(app, project, iid)
  if (item === undefined) throw notFound('Issue')
  enforce(decideOn(app, 'issue', 'read_issue', item, caller), caller, 'Issue')
  return item
}

/** The facts of an issue for the policy. */
function issueFacts(
  row: IssueDraft['row'],
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
