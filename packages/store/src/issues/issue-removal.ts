import { removeItemLeavings } from '../items/item-removal.ts'
import type { Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'
import { deleteIssues } from './issue-store.ts'
import { addToOpenIssues, countsAsOpen } from './open-issues.ts'

const people = ['authorId', 'closedById'] as const

/**
 * Puts one user in the place of another who goes, in up to `limit` issues for each of the parts that the
 * user has in them; answers `limit` where there may be more. Assignments end.
 */
export async function moveIssues(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let most = 0
  for (const part of people) {
    const { changes } = await tx.run(`users.move-issues|${part}`, args, (db, $) =>
      db
        .updateTable('issues')
        .set({ [part]: $('to') })
        .where('id', 'in', (eb) =>
          eb.selectFrom('issues').select('issues.id').where(part, '=', $('from')).limit($('limit')),
        ),
    )
    most = Math.max(most, changes)
  }
  if (most > 0) await touchStamp(tx, 'issues')
  return most
}

/** Which issues go: those that a user wrote, or those of a project. */
export type DoomedIssues = { authorId: number } | { projectId: number }

/** Removes up to `limit` issues with all that hangs on them; answers how many. */
export async function removeIssues(
  tx: Transaction,
  { limit, ...whose }: DoomedIssues & { limit: number },
): Promise<number> {
  const column = 'authorId' in whose ? 'authorId' : 'projectId'
  const id = 'authorId' in whose ? whose.authorId : whose.projectId
  const issues = await tx.all(`issues.doomed|${column}`, { id, limit }, (db, $) =>
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
  await removeItemLeavings(tx, { type: 'issue', ids })
  for (const [projectId, ofProject] of Map.groupBy(issues, (issue) => issue.projectId)) {
    await addToOpenIssues(tx, { projectId, delta: -ofProject.filter(countsAsOpen).length })
  }
  await deleteIssues(tx, ids)
  await touchStamp(tx, 'issues')
  return issues.length
}

/** Ends up to `limit` assignments of a user, and counts those of the issues anew; answers how many. */
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
  await touchStamp(tx, 'issues')
  return ids.length
}
