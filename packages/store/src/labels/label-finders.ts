import { sql } from 'kysely'
import type { Queries } from '../queries.ts'
import { inList } from '../sql.ts'
import { type LabelRef, type LabelRow, labelColumns, labelRefColumns } from './label-row.ts'

/** Which labels a project has: its own, and those of the groups above it. */
export interface ProjectScope {
  projectId: number
  namespaceId: number
}

/**
 * The labels of these titles that a project has: of one title its own before that of a group, and that of a
 * nearer group before a farther one's. One query.
 */
export async function findLabelsByTitle(
  q: Queries,
  args: ProjectScope & { titles: readonly string[] },
): Promise<LabelRef[]> {
  if (args.titles.length === 0) return []
  const rows = await q.all('labels.by-title', args, (db, $) =>
    db
      .selectFrom('labels')
      .where('labels.projectId', '=', $('projectId'))
      .where(inList('labels.title', $('titles')))
      .select([...labelRefColumns])
      .select(sql<number>`-1`.as('distance'))
      .unionAll(
        db
          .selectFrom('namespaceAncestors as above')
          .crossJoin('labels')
          .whereRef('labels.groupId', '=', 'above.ancestorId')
          .where('above.descendantId', '=', $('namespaceId'))
          .where(inList('labels.title', $('titles')))
          .select([...labelRefColumns])
          .select('above.distance'),
      ),
  )
  return nearest(rows)
}

/** The labels of these titles that a group has, of itself or of a group above; the nearer one wins. One query. */
export async function findGroupLabelsByTitle(
  q: Queries,
  args: { groupId: number; titles: readonly string[] },
): Promise<LabelRef[]> {
  if (args.titles.length === 0) return []
  const rows = await q.all('labels.by-title-in-group', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as above')
      .crossJoin('labels')
      .whereRef('labels.groupId', '=', 'above.ancestorId')
      .where('above.descendantId', '=', $('groupId'))
      .where(inList('labels.title', $('titles')))
      .select([...labelRefColumns])
      .select('above.distance'),
  )
  return nearest(rows)
}

function nearest(rows: readonly (LabelRef & { distance: number })[]): LabelRef[] {
  const byTitle = new Map<string, LabelRef>()
  for (const { distance: _, ...label } of rows.toSorted((a, b) => b.distance - a.distance)) {
    byTitle.set(label.title, label)
  }
  return [...byTitle.values()]
}

/** A label by its id, wherever it is. */
export function findLabelById(q: Queries, id: number): Promise<LabelRow | undefined> {
  return q.first('labels.by-id', { id }, (db, $) =>
    db.selectFrom('labels').select(labelColumns).where('labels.id', '=', $('id')),
  )
}

/** Labels by their ids, in no order. */
export function findLabelRefs(q: Queries, ids: readonly number[]): Promise<LabelRef[]> {
  return q.all('labels.refs', { ids }, (db, $) =>
    db
      .selectFrom('labels')
      .select(labelRefColumns)
      .where(inList('labels.id', $('ids'))),
  )
}
