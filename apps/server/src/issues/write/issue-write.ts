import { notFound } from '@stithy/core'
import {
  type BareIssue,
  type EventAction,
  findIssuesById,
  type IssueChanges,
  listIssueAssignees,
  lockIssue,
  recordEvent,
  type Transaction,
  touchStamp,
  updateIssueRow,
} from '@stithy/store'
import type { App } from '../../app.ts'
import type { IssueItem } from '../../items/item.ts'
import { countOpenIssue, openIssueDelta } from '../lists/open-issues.service.ts'

/** Who changes an issue, and when. */
export interface Change {
  userId: number
  /** What notes, label events and `updated_at` are stamped with; milliseconds, as `now`. */
  at: number
  /** When it really happens. */
  now: number
}

/** The issue as it is now, kept from others until the transaction ends. @throws DomainError `not_found` */
export async function lockItem(tx: Transaction, item: IssueItem): Promise<IssueItem> {
  const row = await lockIssue(tx, item.row.id)
  if (row === undefined) throw notFound('Issue')
  return withRow(item, row)
}

function withRow(item: IssueItem, row: BareIssue): IssueItem {
  return { ...item, row: { ...row, projectFullPath: item.row.projectFullPath } }
}

/** Sets columns of an issue that is locked by the transaction, and answers what it is then. */
export async function save(
  tx: Transaction,
  item: IssueItem,
  columns: IssueChanges,
): Promise<IssueItem> {
  await updateIssueRow(tx, item.row.id, columns)
  const next = { ...item, row: { ...item.row, ...columns } as IssueItem['row'] }
  await countOpenIssue(tx, item.row.projectId, openIssueDelta(item.row, next.row))
  return next
}

/** The issue as it has become. Two queries. @throws DomainError `not_found` where it is gone. */
export async function reload(app: App, item: IssueItem): Promise<IssueItem> {
  const [row] = await findIssuesById(app.db, [item.row.id])
  if (row === undefined) throw notFound('Issue')
  const assignees = row.assigneeCount === 0 ? [] : await listIssueAssignees(app.db, [row.id])
  return { ...item, row, assigneeIds: assignees.map(({ userId }) => userId) }
}

type IssueEvent = Extract<EventAction, 'created' | 'closed' | 'reopened'>

/**
 * Ends a transaction that changed an issue: records the event that activity tells of, if there is one, and
 * that lists of issues may have changed.
 */
export async function finish(
  tx: Transaction,
  { row }: IssueItem,
  action: IssueEvent | undefined,
  { userId, now }: Change,
): Promise<void> {
  if (action !== undefined) {
    const { id, iid, title, projectId } = row
    const target = { type: 'issue', id, iid, title } as const
    await recordEvent(tx, { projectId, authorId: userId, action, target, createdAt: now })
  }
  await touchStamp(tx, 'issues')
}
