import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A board list, in the order of `position`. */
export type BoardListRow = Row<'boardLists'>

/** Lists the board lists of several boards, each in order. One query. */
export function listBoardLists(q: Queries, boardIds: readonly number[]): Promise<BoardListRow[]> {
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

/** A board list to create; exactly one of label, assignee and milestone is set. */
export type NewBoardList = Omit<BoardListRow, 'id'>

const inserted = [
  'boardId',
  'labelId',
  'assigneeId',
  'milestoneId',
  'position',
  'createdAt',
] as const

/** Adds a list to a board, which is locked. */
export async function insertBoardList(tx: Transaction, list: NewBoardList): Promise<BoardListRow> {
  const row = await tx.first('board-lists.insert', list, (db, $) =>
    db.insertInto('boardLists').values(pick($, inserted)).returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Sets the position of a list on a board, which is locked. */
export async function setBoardListPosition(
  tx: Transaction,
  list: { id: number; position: number },
): Promise<void> {
  await tx.run('board-lists.move', list, (db, $) =>
    db
      .updateTable('boardLists')
      .set({ position: $('position') })
      .where('boardLists.id', '=', $('id')),
  )
}

/** Deletes a board list. */
export async function deleteBoardList(tx: Transaction, id: number): Promise<void> {
  await tx.run('board-lists.delete', { id }, (db, $) =>
    db.deleteFrom('boardLists').where('boardLists.id', '=', $('id')),
  )
}
