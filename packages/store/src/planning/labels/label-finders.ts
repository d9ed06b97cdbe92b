import { sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { type LabelRef, type LabelRow, labelColumns, labelRefColumns } from './label-row.ts'

/** A project and its namespace: a project has its own labels, and those of its ancestor groups. */
export interface ProjectScope {
  projectId: number
  namespaceId: number
}

/**
 * Finds the labels of a project by title: its own before those of a group, and those of a nearer
 * group before those of a farther one. One query.
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

/**
 * Finds the labels of a group by title, its own or those of an ancestor; the nearest wins. One
 * query.
 */
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

/** A label by its id, of any project or group. */
export function findLabelById(q: Queries, id: number): Promise<LabelRow | undefined> {
  return q.first('labels.by-id', { id }, (db, $) =>
    db.selectFrom('labels').select(labelColumns).where('labels.id', '=', $('id')),
  )
}

/** Labels by their ids, in no particular order. */
export function findLabelRefs(q: Queries, ids: readonly number[]): Promise<LabelRef[]> {
  return q.all('labels.refs', { ids }, (db, $) =>
    db
      .selectFrom('labels')
      .select(labelRefColumns)
      .where(inList('labels.id', $('ids'))),
  )
}
