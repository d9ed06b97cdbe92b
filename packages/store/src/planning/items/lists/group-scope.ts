import { viewerArgs, viewerKind } from '../../../directory/members/visibility.ts'
import type { Queries } from '../../../platform/queries/queries.ts'
import { type Bounds, insideOwners } from './scope.ts'
import type { EpicListRequest } from './work-item-filter.ts'
import type { EpicTable } from './work-item-table.ts'

/** The bounds of a list of epics: the groups that the caller can see. One query. */
export async function groupBounds(
  q: Queries,
  table: EpicTable,
  { scope: { groupId }, caller, today }: EpicListRequest,
): Promise<Bounds> {
  const kind = viewerKind(caller)
  const args = { ...viewerArgs(caller, today), groupId }
  const rows = await q.all(`epics.groups|${kind}`, args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as inside')
      .innerJoin('namespaces', 'namespaces.id', 'inside.descendantId')
      .where('inside.ancestorId', '=', $('groupId'))
      .where(table.visible(kind, $))
      .select('namespaces.id'),
  )
  const ids = rows.map((row) => row.id)
  return { scope: { kind: 'owners', ids }, parts: [insideOwners(table, ids)] }
}
