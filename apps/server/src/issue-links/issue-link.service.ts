import {
  conflict,
  decideOnIssue,
  decideOnProject,
  type IssueLink,
  notFound,
  type RelatedIssue,
  validationFailed,
} from '@stithy/core'
import {
  deleteIssueLink,
  findIssuesById,
  findLinkedIssueId,
  insertIssueLink,
  listIssueAssignees,
  listRelatedIssues,
  type Page,
  type PageRequest,
} from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import { issueFacts } from '../issues/issue-found.ts'
import { referenceTo } from '../issues/issue-reference.ts'
import { viewIssues } from '../issues/issue-views.service.ts'
import type { IssueItem } from '../items/item.ts'
import { dayOf } from '../members/day.ts'
import { loadProject } from '../projects/project-subject.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { subscribedTo } from '../subscriptions/subscription.service.ts'
import { remarkNaming, sourceOf } from '../system-notes/system-note.service.ts'

/** A page of the issues that an issue is related to, as far as the caller may see them. */
export async function relatedIssues(
  app: App,
  caller: Caller,
  { row }: IssueItem,
  request: PageRequest,
): Promise<Page<RelatedIssue>> {
  const whose = { issueId: row.id, caller: caller.facts, today: dayOf(app.now()) }
  const page = await listRelatedIssues(app.db, whose, request)
  const views = await viewIssues(app, caller, page.items)
  const ids = page.items.map(({ id }) => id)
  const subscribed = await subscribedTo(app, 'issue', ids, caller.facts.userId)
  const links = new Map(page.items.map(({ id, issueLinkId }) => [id, issueLinkId]))
  const items = views.flatMap((view) => {
    const linkId = links.get(view.id)
    if (linkId === undefined) return []
    return [{ ...view, subscribed: subscribed.has(view.id), issue_link_id: linkId }]
  })
  return { ...page, items }
}

/**
 * Relates two issues that the caller can see, and remarks it on both (catalogue: issues, 2.7).
 * @throws DomainError `forbidden`, `conflict`, `validation_failed`
 */
export async function linkIssues(
  app: App,
  caller: Caller,
  source: IssueItem,
  target: IssueItem,
): Promise<void> {
  requireReporter(caller, source)
  requireReporter(caller, target)
  if (source.row.id === target.row.id) {
    throw validationFailed({ target_issue_iid: ["can't be the issue itself"] })
  }
  const said = { authorId: requireCaller(caller).id, at: app.now() }
  await app.db.transaction(async (tx) => {
    const issueIds = [source.row.id, target.row.id] as const
    const id = await insertIssueLink(tx, { issueIds, at: said.at })
    if (id === undefined) throw conflict('Issue(s) already assigned')
    for (const [item, other] of [[source, target] as const, [target, source] as const]) {
      const body = `marked this issue as related to ${referenceTo(other, item)}`
      await remarkNaming(tx, item, sourceOf(other), { ...said, body })
    }
  })
}

/**
 * Ends a relation of an issue, and remarks it on both; answers the other issue.
 * @throws DomainError `forbidden`, `not_found`
 */
export async function unlinkIssue(
  app: App,
  caller: Caller,
  source: IssueItem,
  linkId: number,
): Promise<IssueItem> {
  const target = await requireLinked(app, caller, source, linkId)
  requireReporter(caller, source)
  requireReporter(caller, target)
  const said = { authorId: requireCaller(caller).id, at: app.now() }
  await app.db.transaction(async (tx) => {
    if (!(await deleteIssueLink(tx, linkId))) throw notFound('Issue Link')
    for (const [item, other] of [[source, target] as const, [target, source] as const]) {
      const body = `removed the relation with ${referenceTo(other, item)}`
      await remarkNaming(tx, item, sourceOf(other), { ...said, body })
    }
  })
  return target
}

/** The two ends of a relation as lists show issues. */
export async function viewLink(
  app: App,
  caller: Caller,
  source: IssueItem,
  target: IssueItem,
): Promise<IssueLink> {
  const views = await viewIssues(app, caller, [source.row, target.row])
  const view = ({ row }: IssueItem) => {
    const found = views.find(({ id }) => id === row.id)
    if (found === undefined) throw notFound('Issue')
    return found
  }
  return { source_issue: view(source), target_issue: view(target) }
}

function requireReporter(caller: Caller, { project }: IssueItem): void {
  enforce(decideOnProject('admin_issues', caller.facts, project.facts), caller)
}

/** The other end of a relation, where the caller may see it. @throws DomainError `not_found` */
async function requireLinked(
  app: App,
  caller: Caller,
  source: IssueItem,
  linkId: number,
): Promise<IssueItem> {
  const id = await findLinkedIssueId(app.db, { linkId, issueId: source.row.id })
  const [row] = id === undefined ? [] : await findIssuesById(app.db, [id])
  const project = row && (await loadProject(app, String(row.projectId), caller))
  if (row === undefined || project === undefined) throw notFound('Issue Link')
  const assigneeIds = (await listIssueAssignees(app.db, [row.id])).map(({ userId }) => userId)
  const facts = issueFacts(row, assigneeIds, caller.facts.userId)
  if (!decideOnIssue('read_issue', caller.facts, project.facts, facts).allowed) {
    throw notFound('Issue Link')
  }
  return { type: 'issue', row, project, assigneeIds }
}
