import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'

/** The item types with a milestone, and their tables. */
const tables = { issue: 'issues', merge_request: 'mergeRequests' } as const
export type MilestoneableType = keyof typeof tables

/** An item whose milestone was cleared. */
export interface ClearedItem {
  id: number
  projectId: number
}

/**
 * Clears a milestone from all issues or all merge requests; returns these items. Timestamps in
 * milliseconds.
 */
export async function clearMilestone(
  tx: Transaction,
  type: MilestoneableType,
  args: { milestoneId: number; at: number },
): Promise<ClearedItem[]> {
  const table = tables[type]
  const cleared = await tx.all(`milestones.clear|${type}`, args, (db, $) =>
    db
      .updateTable(table)
      .set({ milestoneId: null, updatedAt: $('at') })
      .where('milestoneId', '=', $('milestoneId'))
      .returning(['id', 'projectId']),
  )
  for (const { projectId } of cleared) touchStamp(tx, stampOf(table, projectId))
  return cleared
}

/** Lists the projects of up to `limit` items that have a milestone. */
export async function listProjectsWithMilestone(
  q: Queries,
  args: { milestoneId: number; limit: number },
): Promise<number[]> {
  const ids = new Set<number>()
  for (const table of ['issues', 'mergeRequests'] as const) {
    const rows = await q.all(`milestones.projects|${table}`, args, (db, $) =>
      db
        .selectFrom(table)
        .where('milestoneId', '=', $('milestoneId'))
        .limit($('limit'))
        .select('projectId'),
    )
    for (const row of rows) ids.add(row.projectId)
  }
  return [...ids]
}

/** Lists the milestones with this title in all projects below a group. */
export function listMilestonesBelow(
  q: Queries,
  args: { groupId: number; title: string },
): Promise<{ id: number; projectId: number }[]> {
  return q.all('milestones.below', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as below')
      .crossJoin('projects')
      .crossJoin('milestones')
      .whereRef('projects.namespaceId', '=', 'below.descendantId')
      .whereRef('milestones.projectId', '=', 'projects.id')
      .where('below.ancestorId', '=', $('groupId'))
      .where('milestones.title', '=', $('title'))
      .select(['milestones.id', 'projects.id as projectId']),
  )
}

/** Replaces several milestones by another one in items and boards. */
export async function replaceMilestones(
  tx: Transaction,
  args: { from: readonly number[]; into: number },
): Promise<void> {
  for (const table of ['issues', 'mergeRequests', 'boards'] as const) {
    await tx.run(`milestones.replace|${table}`, args, (db, $) =>
      db
        .updateTable(table)
        .set({ milestoneId: $('into') })
        .where(inList(`${table}.milestoneId`, $('from'))),
    )
  }
  await tx.run('milestones.replace|boardLists', args, (db, $) =>
    db
      .updateTable('boardLists')
      .set({ milestoneId: $('into') })
      .where(inList('boardLists.milestoneId', $('from'))),
  )
  touchStamp(tx, 'issues', 'mergeRequests')
}
