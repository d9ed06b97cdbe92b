import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { lockItemRow } from '../items/item-counts.ts'

/**
 * Brings the dates that epics have from milestones up to date, directly before the commit: once for
 * each epic, however many of its issues change.
 */
export function touchEpicDates(tx: Transaction, epicIds: Iterable<number>): void {
  for (const id of epicIds) tx.beforeCommit(`epic dates ${id}`, () => refreshEpicDates(tx, id))
}

/** Reads the index of the epic's milestones alone. Two statements. */
async function refreshEpicDates(tx: Transaction, id: number): Promise<void> {
  // What other transactions have added or removed is seen once they have let go of the epic.
  if (!(await lockItemRow(tx, { type: 'epic', id }))) return
  const date = (aggregate: 'min' | 'max', column: 'startDate' | 'dueDate') =>
    sql<string | null>`(select ${sql.raw(aggregate)}(m.${sql.ref(column)}) from "milestones" as m
      where m."id" in (select i."milestoneId" from "epicIssues" as i
        where i."epicId" = "epics"."id" and i."milestoneId" is not null))`
  await tx.run('epics.refresh-dates', { id }, (db, $) =>
    db
      .updateTable('epics')
      .set({
        startDateFromMilestones: date('min', 'startDate'),
        dueDateFromMilestones: date('max', 'dueDate'),
      })
      .where('epics.id', '=', $('id')),
  )
}

/** The ids of the epics that issues are in. */
export async function listEpicIdsOfIssues(
  q: Queries,
  issueIds: readonly number[],
): Promise<number[]> {
  const rows = await q.all('epics.of-issues', { issueIds }, (db, $) =>
    db
      .selectFrom('epicIssues')
      .where(inList('epicIssues.issueId', $('issueIds')))
      .select('epicIssues.epicId')
      .distinct(),
  )
  return rows.map(({ epicId }) => epicId)
}

/** The ids of up to `limit` epics after one that have issues with a milestone, in their order. */
export async function listEpicIdsOfMilestone(
  q: Queries,
  args: { milestoneId: number; after: number; limit: number },
): Promise<number[]> {
  const rows = await q.all('epics.of-milestone', args, (db, $) =>
    db
      .selectFrom('epicIssues')
      .where('epicIssues.milestoneId', '=', $('milestoneId'))
      .where('epicIssues.epicId', '>', $('after'))
      .orderBy('epicIssues.epicId')
      .limit($('limit'))
      .select('epicIssues.epicId')
      .distinct(),
  )
  return rows.map(({ epicId }) => epicId)
}

/** Takes issues that are being deleted out of their epics. */
export async function removeIssuesFromEpics(
  tx: Transaction,
  issueIds: readonly number[],
): Promise<void> {
  const removed = await tx.all('epics.remove-issues', { issueIds }, (db, $) =>
    db
      .deleteFrom('epicIssues')
      .where(inList('epicIssues.issueId', $('issueIds')))
      .returning('epicIssues.epicId'),
  )
  touchEpicDates(
    tx,
    removed.map(({ epicId }) => epicId),
  )
}
