import type { Kysely } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type EpicRow, epicColumns, listedEpicColumns } from './epic-row.ts'

/** The epic of the group with this id or, if there is none, with this iid. */
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
      .select(epicColumns)
      .where('epics.groupId', '=', $('groupId'))
      .where(`epics.${column}`, '=', $('ref')),
  )
}

/** The epic of the group with this iid. */
export function findEpicByNumber(
  q: Queries,
  { groupId, iid }: { groupId: number; iid: number },
): Promise<EpicRow | undefined> {
  return findBy(q, 'iid', { groupId, ref: iid })
}

/**
 * Epics by their ids, in no particular order; deleted ones, or those whose group is being deleted,
 * are left out.
 */
export function findEpicsById(q: Queries, ids: readonly number[]): Promise<EpicRow[]> {
  return q.all('epics.by-ids', { ids }, (db, $) => epicsById(db, $).select(epicColumns))
}

/** The same as lists have them. */
export function listEpicsById(q: Queries, ids: readonly number[]): Promise<EpicRow[]> {
  return q.all('epics.listed-by-ids', { ids }, (db, $) =>
    epicsById(db, $).select(listedEpicColumns),
  )
}

function epicsById(db: Kysely<Schema>, $: Param<{ ids: readonly number[] }>) {
  return db
    .selectFrom('epics')
    .innerJoin('namespaces', 'namespaces.id', 'epics.groupId')
    .where(inList('epics.id', $('ids')))
    .where('namespaces.deletedAt', 'is', null)
}
