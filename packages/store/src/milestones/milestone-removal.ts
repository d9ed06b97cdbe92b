import type { Queries, Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'

/** What can have a milestone, and where it is kept. */
const tables = { issue: 'issues', merge_request: 'mergeRequests' } as const
export type PlannedType = keyof typeof tables

/** Something that a milestone was taken from. */
export interface Unplanned {
  id: number
  projectId: number
}

/** Takes a milestone from all issues, or from all merge requests, that have it; answers which. Milliseconds. */
export async function clearMilestone(
  tx: Transaction,
  type: PlannedType,
  args: { milestoneId: number; at: number },
): Promise<Unplanned[]> {
  const table = tables[type]
  const cleared = await tx.all(`milestones.clear|${type}`, args, (db, $) =>
    db
      .updateTable(table)
      .set({ milestoneId: null, updatedAt: $('at') })
      .where('milestoneId', '=', $('milestoneId'))
      .returning(['id', 'projectId']),
  )
  if (cleared.length > 0) await touchStamp(tx, table)
  return cleared
}

/** The projects of up to `limit` things that have a milestone. */
export async function listPlannedProjects(
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

/** Those of the things on which the program remarked this at that very instant. */
export async function listRemarked(
  q: Queries,
  args: { type: PlannedType; ids: readonly number[]; body: string; at: number },
): Promise<Set<number>> {
  const rows = await q.all('milestones.remarked', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.noteableType', '=', $('type'))
      .where(inList('notes.noteableId', $('ids')))
      .where('notes.system', '=', 1)
      .where('notes.createdAt', '=', $('at'))
      .where('notes.body', '=', $('body'))
      .select('notes.noteableId'),
  )
  return new Set(rows.flatMap((row) => row.noteableId ?? []))
}

/** The milestones of this title of all projects below a group. */
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

/** Gives everything that has one of several milestones another one, boards included. */
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
  await touchStamp(tx, 'issues', 'mergeRequests')
}
