import {
  conflict,
  type IssueLink,
  type ItemsQuery,
  notFound,
  type RelatedIssue,
  validationFailed,
} from '@stithy/core'
import {
  deleteIssueLink,
  findLinkedIssueId,
  insertIssueLink,
  listRelatedIssues,
  type Page,
  type PageRequest,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { findReadableIssue } from '../issues/issue-subject.ts'
import { viewIssues } from '../issues/issue-views.service.ts'
import { changeBy } from '../items/changes/change-by.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { IssueItem } from '../items/item.ts'
import { sourceOf } from '../system-notes/system-note.service.ts'

/** Lists a page of the related issues that the caller may see. */
export async function relatedIssues(
  app: App,
  caller: Caller,
  { row }: IssueItem,
  { max_description_length: maxDescriptionLength }: ItemsQuery,
  request: PageRequest,
): Promise<Page<RelatedIssue>> {
  const args = { issueId: row.id, caller: caller.facts, today: dayOf(app.now()) }
  const page = await listRelatedIssues(app.db, args, request)
  const views = await viewIssues(app, caller, page.items, { maxDescriptionLength })
  const links = new Map(page.items.map(({ id, issueLinkId }) => [id, issueLinkId]))
  const items = views.flatMap((view) => {
    const linkId = links.get(view.id)
    if (linkId === undefined) return []
    return [{ ...view, issue_link_id: linkId }]
  })
  return { ...page, items }
}

/**
 * Links two issues that the caller can see, with a system note on both.
 * @throws DomainError `forbidden`, `conflict`, `validation_failed`
 */
export async function linkIssues(
  app: App,
  caller: Caller,
  source: IssueItem,
  target: IssueItem,
): Promise<void> {
  requireLinkable(app, caller, target)
  if (source.row.id === target.row.id) {
    throw validationFailed({ target_issue_iid: ["can't be the issue itself"] })
  }
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction(async (tx) => {
    const issueIds = [source.row.id, target.row.id] as const
    const id = await insertIssueLink(tx, { issueIds, at: now })
    if (id === undefined) throw conflict('Issue(s) already assigned')
    await recordOnBoth(tx, 'related', [source, target], by)
  })
}

/** Records a system note on each issue that names the other. */
async function recordOnBoth(
  tx: Transaction,
  action: 'related' | 'unrelated',
  [source, target]: readonly [IssueItem, IssueItem],
  by: ItemChangeBy,
): Promise<void> {
  for (const [item, other] of [[source, target] as const, [target, source] as const]) {
    const notes = [{ action, source: sourceOf(other) }] as const
    await recordChange(tx, { kind: 'item.noted', ...by, item, notes })
  }
}

/**
 * Removes a link of an issue, with a system note on both issues; returns the other issue.
 * @throws DomainError `forbidden`, `not_found`
 */
export async function unlinkIssue(
  app: App,
  caller: Caller,
  source: IssueItem,
  linkId: number,
): Promise<IssueItem> {
  const target = await requireLinked(app, caller, source, linkId)
  requireLinkable(app, caller, target)
  const by = changeBy(app, caller)
  await app.db.transaction(async (tx) => {
    if (!(await deleteIssueLink(tx, linkId))) throw notFound('Issue Link')
    await recordOnBoth(tx, 'unrelated', [source, target], by)
  })
  return target
}

/** Both issues of a link as lists show them. */
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

/** Checks the permission on the other issue; the contract checks the one in the path. */
function requireLinkable(app: App, caller: Caller, target: IssueItem): void {
  enforce(decideOn(app, 'issue', 'link_issue', target, caller), caller)
}

/** The other issue of a link, if the caller may see it. @throws DomainError `not_found` */
async function requireLinked(
  app: App,
  caller: Caller,
  source: IssueItem,
  linkId: number,
): Promise<IssueItem> {
  const id = await findLinkedIssueId(app.db, { linkId, issueId: source.row.id })
  const item = id === undefined ? undefined : await findReadableIssue(app, caller, id)
  if (item === undefined) throw notFound('Issue Link')
  return item
}
