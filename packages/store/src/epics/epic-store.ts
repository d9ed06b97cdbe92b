import type { Queries } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList } from '../sql.ts'

/** An epic, with the path of the group that it is in. */
export interface EpicRow extends Row<'epics'> {
  groupFullPath: string
}

/** The epic of the group with this id or, where there is none, with this number. */
export async function findEpic(
  q: Queries,
  args: { groupId: number; ref: number },
): Promise<EpicRow | undefined> {
  return (await findBy(q, 'id', args)) ?? (await findBy(q, 'iid', args))
}

function findBy(q: Queries, column: 'id' | 'iid', args: { groupId: number; ref: number }) {
  return q.first(`epics.by-${column}`, args, (db, $) =>
    db
      .selectFrom('epics')
      .innerJoin('namespaces', 'namespaces.id', 'epics.groupId')
      .selectAll('epics')
      .select('namespaces.fullPath as groupFullPath')
      .where('epics.groupId', '=', $('groupId'))
      .where(`epics.${column}`, '=', $('ref')),
  )
}

/** The epic of the group with this number. */
export function findEpicByNumber(
  q: Queries,
  { groupId, iid }: { groupId: number; iid: number },
): Promise<EpicRow | undefined> {
  return findBy(q, 'iid', { groupId, ref: iid })
}

/** Epics by their ids, in no order; those that are gone, or whose group is going, are left out. */
export function findEpicsById(q: Queries, ids: readonly number[]): Promise<EpicRow[]> {
  return q.all('epics.by-ids', { ids }, (db, $) =>
    db
      .selectFrom('epics')
      .innerJoin('namespaces', 'namespaces.id', 'epics.groupId')
      .selectAll('epics')
      .select('namespaces.fullPath as groupFullPath')
      .where(inList('epics.id', $('ids')))
      .where('namespaces.deletedAt', 'is', null),
  )
}
