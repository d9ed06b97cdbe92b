import { positionGap } from '@stithy/core'
import { sql } from 'kysely'
import { nextIid, raiseIid } from '../../platform/queries/iids.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Flag } from '../../platform/schema/flag.ts'
import type { Row, RowChanges } from '../../platform/schema/schema.ts'
import { removeIssuesFromEpics } from '../epics/epic-dates.ts'
import { updateItemRow } from '../items/item-row-update.ts'
import {
  type Destination,
  findPosition,
  moveBeside,
  type Siblings,
} from '../items/relative-order.ts'
import { issueTableColumns } from './issue-row.ts'

/** An issue with the columns of its own table. */
export type IssueTableRow = Row<'issues'>

/** An issue to create; timestamps in milliseconds. */
export interface NewIssue {
  projectId: number
  /** The next iid of the project if not given. */
  iid?: number | undefined
  authorId: number
  title: string
  description: string | null
  state: IssueTableRow['state']
  confidential: Flag
  discussionLocked: Flag | null
  milestoneId: number | null
  dueDate: string | null
  weight: number | null
  taskCount: number
  taskDoneCount: number
  assigneeCount: number
  closedById: number | null
  closedAt: number | null
  createdAt: number
  updatedAt: number
}

const inserted = [
  'projectId',
  'iid',
  'authorId',
  'title',
  'description',
  'state',
  'confidential',
  'discussionLocked',
  'milestoneId',
  'dueDate',
  'weight',
  'taskCount',
  'taskDoneCount',
  'assigneeCount',
  'closedById',
  'closedAt',
  'createdAt',
  'updatedAt',
] as const

/**
 * Inserts an issue and returns its row; its assignees are inserted separately.
 * @throws UniqueViolationError if a given iid is taken.
 */
export async function insertIssue(tx: Transaction, issue: NewIssue): Promise<IssueTableRow> {
  const { projectId } = issue
  const iid = issue.iid ?? (await nextIid(tx, 'issues', projectId))
  if (issue.iid !== undefined) await raiseIid(tx, 'issues', projectId, issue.iid)
  const row = await tx.first('issues.insert', { ...issue, iid }, (db, $) =>
    db
      .insertInto('issues')
      .values({ ...pick($, inserted), relativePosition: firstPosition($) })
      .returning(issueTableColumns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/**
 * A position before all issues of the project. Two that are created at once may get the same one, and are
 * then ordered by their ids.
 */
function firstPosition($: Param<{ projectId: number }>) {
  return sql<number>`coalesce((select min(own."relativePosition") from issues as own
    where own."projectId" = ${$('projectId')}), 0) - ${sql.lit(positionGap)}`
}

/** Moves an issue among those of its project, which must be locked; see `moveBeside`. */
export function moveIssueInProject(
  tx: Transaction,
  { projectId, ...move }: { projectId: number; id: number; to: Destination },
): Promise<boolean> {
  return moveBeside(tx, siblingsIn(projectId), move)
}

/** The position of an issue in the order of its project; undefined if it is none of the project. */
export function findIssuePosition(
  q: Queries,
  { projectId, id }: { projectId: number; id: number },
): Promise<number | undefined> {
  return findPosition(q, siblingsIn(projectId), id)
}

function siblingsIn(projectId: number): Siblings {
  return { table: { name: 'issues', parent: 'projectId' }, parentId: projectId }
}

/**
 * Locks an issue until the transaction ends and returns its current row; undefined if it no longer
 * exists.
 */
export function lockIssue(tx: Transaction, id: number): Promise<IssueTableRow | undefined> {
  return tx.first('issues.lock', { id }, (db, $) =>
    db
      .updateTable('issues')
      .set((eb) => ({ updatedAt: eb.ref('issues.updatedAt') }))
      .where('issues.id', '=', $('id'))
      .returning(issueTableColumns),
  )
}

/** The settable columns of an issue. */
export type IssueChanges = Omit<RowChanges<'issues'>, 'id' | 'projectId' | 'iid' | 'authorId'>

/** Updates columns of an issue. */
export async function updateIssueRow(
  tx: Transaction,
  id: number,
  changes: IssueChanges,
): Promise<void> {
  await updateItemRow(tx, { type: 'issue', id }, changes)
}

/** Adds assignees after the first `from` positions; `createdAt` is that of the issue. */
export async function addIssueAssignees(
  tx: Transaction,
  issue: Pick<IssueTableRow, 'id' | 'createdAt'>,
  userIds: readonly number[],
  from = 0,
): Promise<void> {
  for (const [index, userId] of userIds.entries()) {
    const row = { issueId: issue.id, userId, position: from + index, createdAt: issue.createdAt }
    await tx.run('issue-assignees.insert', row, (db, $) =>
      db
        .insertInto('issueAssignees')
        .values(pick($, ['issueId', 'userId', 'position', 'createdAt'])),
    )
  }
}

/** Replaces the assignees of an issue, which is locked. */
export async function setIssueAssignees(
  tx: Transaction,
  issue: Pick<IssueTableRow, 'id' | 'createdAt'>,
  userIds: readonly number[],
): Promise<void> {
  await tx.run('issue-assignees.clear', { issueId: issue.id }, (db, $) =>
    db.deleteFrom('issueAssignees').where('issueId', '=', $('issueId')),
  )
  await addIssueAssignees(tx, issue, userIds)
}

/**
 * Deletes issues with their assignees, relations and closing merge requests; returns how many
 * existed.
 */
export async function deleteIssues(tx: Transaction, ids: readonly number[]): Promise<number> {
  await removeIssuesFromEpics(tx, ids)
  const { changes } = await tx.run('issues.delete', { ids }, (db, $) =>
    db.deleteFrom('issues').where(inList('issues.id', $('ids'))),
  )
  return changes
}
