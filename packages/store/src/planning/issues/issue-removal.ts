import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import { deleteItemDependents, dependentsAtOnce } from '../items/item-removal.ts'
import { deleteIssues } from './issue-store.ts'
import { addToOpenIssues, countsAsOpen } from './open-issues.ts'

const people = ['authorId', 'closedById', 'updatedById', 'lastEditedById'] as const

/**
 * Replaces one user by another in up to `limit` issues for each of the user's roles; returns `limit`
 * if there may be more. Assignments are removed.
 */
export async function moveIssues(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let maxChanges = 0
  for (const part of people) {
    const { changes } = await tx.run(`users.move-issues|${part}`, args, (db, $) =>
      db
        .updateTable('issues')
        .set({ [part]: $('to') })
        .where('id', 'in', (eb) =>
          eb.selectFrom('issues').select('issues.id').where(part, '=', $('from')).limit($('limit')),
        ),
    )
    maxChanges = Math.max(maxChanges, changes)
  }
  if (maxChanges > 0) touchStamp(tx, 'issues')
  return maxChanges
}

/** The issues to delete: those that a user wrote, or those of a project. */
export type IssuesToDelete = { authorId: number } | { projectId: number }

/** Deletes up to `limit` issues with their dependents; returns `limit` if there may be more. */
export async function removeIssues(
  tx: Transaction,
  { limit, ...owner }: IssuesToDelete & { limit: number },
): Promise<number> {
  const column = 'authorId' in owner ? 'authorId' : 'projectId'
  const id = 'authorId' in owner ? owner.authorId : owner.projectId
  const issues = await tx.all(`issues.toDelete|${column}`, { id, limit }, (db, $) =>
    db
      .selectFrom('issues')
      .where(column, '=', $('id'))
      .orderBy('createdAt')
      .orderBy('id')
      .limit($('limit'))
      .select(['id', 'projectId', 'state', 'confidential']),
  )
  if (issues.length === 0) return 0
  const ids = issues.map((issue) => issue.id)
  const dependents = { type: 'issue', ids, limit: dependentsAtOnce } as const
  if ((await deleteItemDependents(tx, dependents)) === dependentsAtOnce) return limit
  for (const [projectId, ofProject] of Map.groupBy(issues, (issue) => issue.projectId)) {
    await addToOpenIssues(tx, { projectId, delta: -ofProject.filter(countsAsOpen).length })
    touchStamp(tx, stampOf('issues', projectId))
  }
  await deleteIssues(tx, ids)
  return issues.length
}

/**
 * Removes up to `limit` assignments of a user and recounts the assignees of the issues; returns how
 * many.
 */
export async function endIssueAssignments(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const ended = await tx.all('issue-assignees.end', args, (db, $) =>
    db
      .deleteFrom('issueAssignees')
      .where('userId', '=', $('userId'))
      .where('issueId', 'in', (eb) =>
        eb
          .selectFrom('issueAssignees as some')
          .select('some.issueId')
          .where('some.userId', '=', $('userId'))
          .limit($('limit')),
      )
      .returning('issueId'),
  )
  const ids = ended.map(({ issueId }) => issueId)
  if (ids.length === 0) return 0
  await tx.run('issues.recount-assignees', { ids }, (db, $) =>
    db
      .updateTable('issues')
      .set((eb) => ({
        assigneeCount: eb
          .selectFrom('issueAssignees')
          .whereRef('issueAssignees.issueId', '=', 'issues.id')
          .select((e) => e.fn.countAll<number>().as('count')),
      }))
      .where(inList('issues.id', $('ids'))),
  )
  touchStamp(tx, 'issues')
  return ids.length
}
