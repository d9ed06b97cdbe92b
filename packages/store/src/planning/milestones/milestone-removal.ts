import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import { deleteMilestone } from './milestone-writes.ts'

/** The item types with a milestone, and their tables. */
const tables = { issue: 'issues', merge_request: 'mergeRequests' } as const
export type MilestoneableType = keyof typeof tables

/** An item whose milestone was cleared. */
export interface ClearedItem {
  id: number
  projectId: number
}

/**
 * Clears a milestone from up to `limit` issues or merge requests; returns these items. Timestamps
 * in milliseconds.
 */
export async function clearMilestone(
  tx: Transaction,
  type: MilestoneableType,
  args: { milestoneId: number; at: number; limit: number },
): Promise<ClearedItem[]> {
  const table = tables[type]
  const cleared = await tx.all(`milestones.clear|${type}`, args, (db, $) =>
    db
      .updateTable(table)
      .set({ milestoneId: null, updatedAt: $('at') })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom(table)
          .where('milestoneId', '=', $('milestoneId'))
          .limit($('limit'))
          .select('id'),
      )
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

/** Milestones to replace by another one: in one project, or everywhere. */
export interface MilestoneMerge {
  from: readonly number[]
  into: number
  projectId?: number
}

/**
 * Replaces milestones by another one in up to `limit` issues and as many merge requests; returns in
 * how many of those of which there were more.
 */
export async function moveMilestoneItems(
  tx: Transaction,
  { from, into, projectId, limit }: MilestoneMerge & { limit: number },
): Promise<number> {
  const args = { from, into, limit, projectId: projectId ?? 0 }
  const scope = projectId === undefined ? 'everywhere' : 'project'
  const counts: number[] = []
  for (const table of ['issues', 'mergeRequests'] as const) {
    const moved = await tx.all(`milestones.move|${table}|${scope}`, args, (db, $) =>
      db
        .updateTable(table)
        .set({ milestoneId: $('into') })
        .where('id', 'in', (eb) => {
          const all = eb
            .selectFrom(table)
            .where(inList(`${table}.milestoneId`, $('from')))
            .limit($('limit'))
            .select('id')
          return projectId === undefined ? all : all.where('projectId', '=', $('projectId'))
        })
        .returning('projectId'),
    )
    for (const { projectId: of } of moved) touchStamp(tx, stampOf(table, of))
    counts.push(moved.length)
  }
  return Math.max(...counts)
}

/** Replaces milestones by another one on boards, after their items, and deletes them. */
export async function completeMilestoneMerge(
  tx: Transaction,
  merge: Omit<MilestoneMerge, 'projectId'>,
): Promise<void> {
  for (const table of ['boards', 'boardLists'] as const) {
    await tx.run(`milestones.replace|${table}`, merge, (db, $) =>
      db
        .updateTable(table)
        .set({ milestoneId: $('into') })
        .where(inList(`${table}.milestoneId`, $('from'))),
    )
  }
  for (const id of merge.from) await deleteMilestone(tx, id)
}
