import { nextIid, raiseIid } from '../iids.ts'
import type { Transaction } from '../queries.ts'
import type { Flag } from '../schema/flag.ts'
import type { Row, RowChanges } from '../schema/schema.ts'
import { inList, pick } from '../sql.ts'
import { bareIssueColumns } from './issue-row.ts'

/** An issue as it stands in its own table. */
export type BareIssue = Row<'issues'>

/** An issue to be; instants in milliseconds. */
export interface NewIssue {
  projectId: number
  /** The next number of the project, unless it is given. */
  iid?: number | undefined
  authorId: number
  title: string
  description: string | null
  state: BareIssue['state']
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
 * Writes an issue and answers it; its assignees are written apart.
 * @throws UniqueViolationError where a number that is given is taken.
 */
export async function insertIssue(tx: Transaction, issue: NewIssue): Promise<BareIssue> {
  const { projectId } = issue
  const iid = issue.iid ?? (await nextIid(tx, 'issues', projectId))
  if (issue.iid !== undefined) await raiseIid(tx, 'issues', projectId, issue.iid)
  const row = await tx.first('issues.insert', { ...issue, iid }, (db, $) =>
    db.insertInto('issues').values(pick($, inserted)).returning(bareIssueColumns),
  )
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/**
 * The issue as it is now, kept from others until the transaction ends; undefined where it is gone.
 */
export function lockIssue(tx: Transaction, id: number): Promise<BareIssue | undefined> {
  return tx.first('issues.lock', { id }, (db, $) =>
    db
      .updateTable('issues')
      .set((eb) => ({ updatedAt: eb.ref('issues.updatedAt') }))
      .where('issues.id', '=', $('id'))
      .returning(bareIssueColumns),
  )
}

/** What may be set of an issue. */
export type IssueChanges = Omit<RowChanges<'issues'>, 'id' | 'projectId' | 'iid' | 'authorId'>

/** Sets columns of an issue. */
export async function updateIssueRow(
  tx: Transaction,
  id: number,
  changes: IssueChanges,
): Promise<void> {
  const names = (Object.keys(changes) as (keyof IssueChanges)[])
    .filter((name) => changes[name] !== undefined)
    .toSorted()
  if (names.length === 0) return
  const args: Record<string, unknown> = { issueId: id }
  for (const name of names) args[name] = changes[name]
  await tx.run(`issues.update|${names.join(',')}`, args, (db, $) =>
    db
      .updateTable('issues')
      .set(Object.fromEntries(names.map((name) => [name, $(name)])) as IssueChanges)
      .where('id', '=', $('issueId') as number),
  )
}

/** Adds assignees behind those at `from` places; `createdAt` is that of the issue. */
export async function addIssueAssignees(
  tx: Transaction,
  issue: Pick<BareIssue, 'id' | 'createdAt'>,
  userIds: readonly number[],
  from = 0,
): Promise<void> {
  for (const [place, userId] of userIds.entries()) {
    const row = { issueId: issue.id, userId, position: from + place, createdAt: issue.createdAt }
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
  issue: Pick<BareIssue, 'id' | 'createdAt'>,
  userIds: readonly number[],
): Promise<void> {
  await tx.run('issue-assignees.clear', { issueId: issue.id }, (db, $) =>
    db.deleteFrom('issueAssignees').where('issueId', '=', $('issueId')),
  )
  await addIssueAssignees(tx, issue, userIds)
}

/** Removes issues with their assignees, relations and closings; answers how many were there. */
export async function deleteIssues(tx: Transaction, ids: readonly number[]): Promise<number> {
  const { changes } = await tx.run('issues.delete', { ids }, (db, $) =>
    db.deleteFrom('issues').where(inList('issues.id', $('ids'))),
  )
  return changes
}
