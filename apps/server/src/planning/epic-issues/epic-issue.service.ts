import { conflict, notFound, type SystemNote } from '@stithy/core'
import {
  type EpicIssueLinkRow,
  findEpicIssue,
  findEpicIssueLink,
  hasEpicIssueBetween,
  isProjectWithin,
  lockItemRow,
  lockItemRows,
  lockProject,
  moveEpicIssue,
  putIssueIntoEpic,
  type Queries,
  type Transaction,
  takeIssueFromEpic,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { findEpicItem } from '../epics/epic-lookup.service.ts'
import { findReadableIssue } from '../issues/issue-subject.ts'
import { lockItem } from '../issues/issue-type.ts'
import { changeBy } from '../items/changes/change-by.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { EpicItem, IssueItem, Item } from '../items/item.ts'
import { type MoveRequest, moveAmong, type VisibleOrder } from '../items/move-among.ts'
import { sourceOf } from '../system-notes/system-note.service.ts'

/** An issue in an epic. */
export interface LinkedIssue {
  link: EpicIssueLinkRow
  issue: IssueItem
}

/**
 * Makes an issue the last one of an epic, which the caller may edit, and takes it out of the one that
 * it was in. System notes tell of it on all of them.
 * @throws DomainError `not_found` if the caller can't read the issue or it is of no project below the
 *   epic's group, `forbidden`, `conflict` if it is in the epic already.
 */
export async function assignIssue(
  app: App,
  caller: Caller,
  epic: EpicItem,
  issueId: number,
): Promise<LinkedIssue> {
  const issue = await requireLinkableIssue(app, caller, issueId)
  const by = changeBy(app, caller)
  const link = await app.db.transaction((tx) => put(tx, epic, issue, by))
  return { link, issue }
}

/** @throws DomainError `not_found`, `forbidden` */
async function requireLinkableIssue(app: App, caller: Caller, issueId: number): Promise<IssueItem> {
  const issue = await findReadableIssue(app, caller, issueId)
  if (issue === undefined) throw notFound('Issue')
  enforce(decideOn(app, 'issue', 'link_issue', issue, caller), caller, 'Issue')
  return issue
}

/** The issue is locked before its project and before epics, as where its milestone or state changes. */
async function put(
  tx: Transaction,
  epic: EpicItem,
  issue: IssueItem,
  by: ItemChangeBy,
): Promise<EpicIssueLinkRow> {
  const current = await lockItem(tx, issue)
  if (!(await holdWithin(tx, issue, epic))) throw notFound('Issue')
  const found = await findEpicIssueLink(tx, current.row.id)
  const epicId = epic.row.id
  if (found?.epicId === epicId) throw conflict('Issue(s) already assigned')
  const former = await lockEpics(tx, epicId, found)
  const link = await putIssueIntoEpic(tx, current.row, { epicId, former, at: by.now })
  const action = former === undefined ? 'epic_added' : 'epic_changed'
  await note(tx, issue, { action, source: sourceOf(epic) }, by)
  const left = former && (await findEpicItem(tx, former.epicId))
  if (left !== undefined)
    await note(tx, left, { action: 'issue_removed', source: sourceOf(issue) }, by)
  await note(tx, epic, { action: 'issue_added', source: sourceOf(issue) }, by)
  return link
}

/**
 * Whether the project of a locked issue is within the group of an epic. It stays there until the
 * transaction ends: a transfer waits, and then takes the issue out of the epic.
 */
export async function holdWithin(
  tx: Transaction,
  { row: { projectId } }: IssueItem,
  { row: { groupId } }: EpicItem,
): Promise<boolean> {
  await lockProject(tx, projectId)
  return isProjectWithin(tx, { projectId, namespaceIds: [groupId] })
}

/**
 * Locks an epic and the one that an issue leaves for it; returns the issue's link to that one, undefined
 * if it was deleted meanwhile. @throws DomainError `not_found`
 */
async function lockEpics(
  tx: Transaction,
  epicId: number,
  found: EpicIssueLinkRow | undefined,
): Promise<EpicIssueLinkRow | undefined> {
  const ids = found === undefined ? [epicId] : [epicId, found.epicId]
  if ((await lockItemRows(tx, { type: 'epic', ids })) === ids.length) return found
  if (!(await lockItemRow(tx, { type: 'epic', id: epicId }))) throw notFound('Epic')
  return undefined
}

async function note(
  tx: Transaction,
  item: Item,
  systemNote: SystemNote,
  by: ItemChangeBy,
): Promise<void> {
  await recordChange(tx, { kind: 'item.noted', ...by, item, notes: [systemNote] })
}

function issuesFor(app: App, caller: Caller, { row }: EpicItem) {
  return { epicId: row.id, caller: caller.facts, today: dayOf(app.now()) }
}

/**
 * Takes an issue out of an epic, which the caller may edit, with system notes on both.
 * @throws DomainError `not_found` if the link is none of the epic to an issue that the caller can
 *   read, `forbidden`
 */
export async function removeEpicIssue(
  app: App,
  caller: Caller,
  epic: EpicItem,
  linkId: number,
): Promise<LinkedIssue> {
  const issue = await requireIssueOfLink(app, caller, epic, linkId)
  const by = changeBy(app, caller)
  const link = await app.db.transaction(async (tx) => {
    await lockItem(tx, issue)
    const found = await findEpicIssueLink(tx, issue.row.id)
    if (found?.id !== linkId || found.epicId !== epic.row.id) throw linkNotFound()
    await take(tx, epic, issue, found, by)
    return found
  })
  return { link, issue }
}

/** Takes a locked issue out of an epic, with system notes on both. */
export async function take(
  tx: Transaction,
  epic: EpicItem,
  issue: IssueItem,
  { id, epicId }: EpicIssueLinkRow,
  by: ItemChangeBy,
): Promise<void> {
  await lockItemRow(tx, { type: 'epic', id: epicId })
  if (!(await takeIssueFromEpic(tx, { id, epicId, projectId: issue.row.projectId }))) return
  await note(tx, issue, { action: 'epic_removed', source: sourceOf(epic) }, by)
  await note(tx, epic, { action: 'issue_removed', source: sourceOf(issue) }, by)
}

/** Moves an issue among those of its epic. @throws DomainError as `removeEpicIssue`, `bad_request` */
export async function moveIssueInEpic(
  app: App,
  caller: Caller,
  epic: EpicItem,
  linkId: number,
  request: MoveRequest,
): Promise<void> {
  await requireIssueOfLink(app, caller, epic, linkId)
  await app.db.transaction(async (tx) => {
    const { id } = epic.row
    if (!(await lockItemRow(tx, { type: 'epic', id }))) throw notFound('Epic')
    await moveAmong(tx, orderOf(tx, issuesFor(app, caller, epic)), linkId, request)
  })
}

function orderOf(q: Queries, issues: ReturnType<typeof issuesFor>): VisibleOrder {
  const { epicId } = issues
  return {
    noun: 'Issue',
    title: linkTitle,
    findPosition: async (id) => (await findEpicIssue(q, { ...issues, id }))?.relativePosition,
    hasBetween: (between) => hasEpicIssueBetween(q, issues, between),
    move: (tx, move) => moveEpicIssue(tx, { epicId, ...move }),
  }
}

async function requireIssueOfLink(
  app: App,
  caller: Caller,
  epic: EpicItem,
  id: number,
): Promise<IssueItem> {
  const row = await findEpicIssue(app.db, { ...issuesFor(app, caller, epic), id })
  if (row === undefined) throw linkNotFound()
  return requireLinkableIssue(app, caller, row.id)
}

const linkTitle = 'Epic Issue'

function linkNotFound() {
  return notFound(linkTitle)
}
