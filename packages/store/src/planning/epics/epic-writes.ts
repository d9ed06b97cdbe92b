import { nextIid } from '../../platform/queries/iids.ts'
import type { Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row, RowChanges } from '../../platform/schema/schema.ts'
import { updateItemRow } from '../items/item-row-update.ts'
import { epicTableColumns } from './epic-row.ts'

/** An epic to create; timestamps in milliseconds, days `YYYY-MM-DD`. */
export type NewEpic = Pick<
  Row<'epics'>,
  | 'groupId'
  | 'authorId'
  | 'title'
  | 'description'
  | 'state'
  | 'startDateIsFixed'
  | 'startDateFixed'
  | 'dueDateIsFixed'
  | 'dueDateFixed'
  | 'taskCount'
  | 'taskDoneCount'
  | 'createdAt'
  | 'updatedAt'
>

const inserted = [
  'groupId',
  'iid',
  'authorId',
  'title',
  'description',
  'state',
  'startDateIsFixed',
  'startDateFixed',
  'dueDateIsFixed',
  'dueDateFixed',
  'taskCount',
  'taskDoneCount',
  'createdAt',
  'updatedAt',
] as const

/** Inserts an epic with the next number of its group. */
export async function insertEpic(tx: Transaction, epic: NewEpic): Promise<Row<'epics'>> {
  const iid = await nextIid(tx, 'epics', epic.groupId)
  const row = await tx.first('epics.insert', { ...epic, iid }, (db, $) =>
    db.insertInto('epics').values(pick($, inserted)).returning(epicTableColumns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/**
 * Locks an epic until the transaction ends and returns its current row; undefined if it no longer
 * exists.
 */
export function lockEpic(tx: Transaction, id: number): Promise<Row<'epics'> | undefined> {
  return tx.first('epics.lock', { id }, (db, $) =>
    db
      .updateTable('epics')
      .set((eb) => ({ updatedAt: eb.ref('epics.updatedAt') }))
      .where('epics.id', '=', $('id'))
      .returning(epicTableColumns),
  )
}

/** The settable columns of an epic. */
export type EpicChanges = Omit<RowChanges<'epics'>, 'id' | 'groupId' | 'iid' | 'authorId'>

/** Updates columns of an epic. */
export async function updateEpicRow(
  tx: Transaction,
  id: number,
  changes: EpicChanges,
): Promise<void> {
  await updateItemRow(tx, { type: 'epic', id }, changes)
}

/** Deletes epics, whose children and issues remain; returns how many existed. */
export async function deleteEpics(tx: Transaction, ids: readonly number[]): Promise<number> {
  const { changes } = await tx.run('epics.delete', { ids }, (db, $) =>
    db.deleteFrom('epics').where(inList('epics.id', $('ids'))),
  )
  return changes
}
