import { sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { type LabelRef, labelRefColumns } from './label-row.ts'

/** A label that a project has, of its own or of an ancestor group. */
export interface MentionedLabelRow extends LabelRef {
  /** The project that has it. */
  scopeId: number
  /** -1 for its own, and greater the farther the group is. */
  distance: number
}

/** Lists the labels with these titles, or ids, that these projects have. One query. */
export function listMentionedLabels(
  q: Queries,
  args:
    | { projectIds: readonly number[]; titles: readonly string[] }
    | { projectIds: readonly number[]; ids: readonly number[] },
): Promise<MentionedLabelRow[]> {
  return 'titles' in args
    ? listLabels(q, 'title', { projectIds: args.projectIds, names: args.titles })
    : listLabels(q, 'id', { projectIds: args.projectIds, names: args.ids })
}

function listLabels(
  q: Queries,
  column: 'id' | 'title',
  args: { projectIds: readonly number[]; names: readonly (number | string)[] },
): Promise<MentionedLabelRow[]> {
  return q.all(`labels.named-by-${column}`, args, (db, $) =>
    db
      .selectFrom('labels')
      .where(inList('labels.projectId', $('projectIds')))
      .where(inList(`labels.${column}`, $('names')))
      .select([...labelRefColumns, sql<number>`labels."projectId"`.as('scopeId')])
      .select(sql<number>`-1`.as('distance'))
      .unionAll(
        db
          .selectFrom('projects')
          .crossJoin('namespaceAncestors as above')
          .crossJoin('labels')
          .whereRef('above.descendantId', '=', 'projects.namespaceId')
          .whereRef('labels.groupId', '=', 'above.ancestorId')
          .where(inList('projects.id', $('projectIds')))
          .where(inList(`labels.${column}`, $('names')))
          .select([...labelRefColumns, 'projects.id as scopeId', 'above.distance']),
      ),
  )
}
