import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList, pick } from '../sql.ts'

/** A column of a board, in the order of `position`. */
export type BoardColumnRow = Row<'boardLists'>

/** The columns of several boards, those of each in their order. One query. */
export function listBoardColumns(
  q: Queries,
  boardIds: readonly number[],
): Promise<BoardColumnRow[]> {
  return q.all('board-lists.of', { boardIds }, (db, $) =>
    db
      .selectFrom('boardLists')
      .where(inList('boardLists.boardId', $('boardIds')))
      .orderBy('boardLists.boardId')
      .orderBy('boardLists.position')
      .orderBy('boardLists.id')
      .selectAll(),
  )
}

/** A column to be; one of the three is named. */
export type NewBoardColumn = Omit<BoardColumnRow, 'id'>

const inserted = [
  'boardId',
  'labelId',
  'assigneeId',
  'milestoneId',
  'position',
  'createdAt',
] as const

/** Adds a column to a board, which is locked. */
export async function insertBoardColumn(
  tx: Transaction,
  column: NewBoardColumn,
): Promise<BoardColumnRow> {
  const row = await tx.first('board-lists.insert', column, (db, $) =>
    db.insertInto('boardLists').values(pick($, inserted)).returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/** Puts a column of a board, which is locked, at a place in its order. */
export async function placeBoardColumn(
  tx: Transaction,
  place: { id: number; position: number },
): Promise<void> {
  await tx.run('board-lists.place', place, (db, $) =>
    db
      .updateTable('boardLists')
      .set({ position: $('position') })
      .where('boardLists.id', '=', $('id')),
  )
}

/** Removes a column of a board. */
export async function deleteBoardColumn(tx: Transaction, id: number): Promise<void> {
  await tx.run('board-lists.delete', { id }, (db, $) =>
    db.deleteFrom('boardLists').where('boardLists.id', '=', $('id')),
  )
}
