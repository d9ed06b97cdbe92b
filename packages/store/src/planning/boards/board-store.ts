import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, inList, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A board, of a project or of a group. */
export type BoardRow = Row<'boards'>

/** The project or group of the boards. */
export type BoardOwner = { projectId: number } | { groupId: number }

const columns = [
  'boards.id',
  'boards.projectId',
  'boards.groupId',
  'boards.name',
  'boards.milestoneId',
  'boards.assigneeId',
  'boards.weight',
  'boards.starter',
  'boards.createdAt',
  'boards.updatedAt',
] as const

/** The column of the owner, and its id. */
function ownerColumn(owner: BoardOwner) {
  return 'projectId' in owner
    ? { column: 'projectId' as const, ownerId: owner.projectId }
    : { column: 'groupId' as const, ownerId: owner.groupId }
}

/** Lists a page of boards, oldest first. At most two queries. */
export async function listBoards(
  q: Queries,
  owner: BoardOwner,
  request: PageRequest,
): Promise<Page<BoardRow>> {
  const { column, ownerId } = ownerColumn(owner)
  return listUncached(q, request, {
    shape: `boards.list|${column}`,
    args: { ownerId },
    key: 'boards.id',
    from: (db, $) => db.selectFrom('boards').where(`boards.${column}`, '=', $('ownerId')),
    order: (query) => query.orderBy('boards.id'),
    columns: (query) => query.select(columns),
  })
}

/** A board of a project or group by its id. */
export function findBoard(
  q: Queries,
  owner: BoardOwner,
  id: number,
): Promise<BoardRow | undefined> {
  const { column, ownerId } = ownerColumn(owner)
  return q.first(`boards.find|${column}`, { id, ownerId }, (db, $) =>
    db
      .selectFrom('boards')
      .select(columns)
      .where('boards.id', '=', $('id'))
      .where(`boards.${column}`, '=', $('ownerId')),
  )
}

/** A board to create; `createdAt` in milliseconds. */
export interface NewBoard {
  name: string
  /** Whether it must be the first board of its owner, as in the community tier. */
  starter: 1 | null
  createdAt: number
}

/** Adds a board; undefined if it would be the second `starter` of its owner. */
export function insertBoard(
  tx: Transaction,
  owner: BoardOwner,
  board: NewBoard,
): Promise<BoardRow | undefined> {
  const { column, ownerId } = ownerColumn(owner)
  return tx.first(`boards.insert|${column}`, { ...board, ownerId }, (db, $) =>
    db
      .insertInto('boards')
      .values({
        ...pick($, ['name', 'starter', 'createdAt']),
        [column]: $('ownerId'),
        updatedAt: $('createdAt'),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns),
  )
}

/** The settable columns of a board. */
export type BoardData = Pick<BoardRow, 'name' | 'milestoneId' | 'assigneeId' | 'weight'>

/** Updates a board; undefined if it no longer exists. */
export function updateBoard(
  tx: Transaction,
  change: BoardData & { id: number; updatedAt: number },
): Promise<BoardRow | undefined> {
  return tx.first('boards.update', change, (db, $) =>
    db
      .updateTable('boards')
      .set(pick($, ['name', 'milestoneId', 'assigneeId', 'weight', 'updatedAt']))
      .where('boards.id', '=', $('id'))
      .returning(columns),
  )
}

/** Locks a board until the transaction ends; false if it no longer exists. */
export async function lockBoard(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('boards.lock', { id }, (db, $) =>
    db
      .updateTable('boards')
      .set((eb) => ({ updatedAt: eb.ref('boards.updatedAt') }))
      .where('boards.id', '=', $('id')),
  )
  return changes > 0
}

/** Deletes a board with its lists. */
export async function deleteBoard(tx: Transaction, id: number): Promise<void> {
  await tx.run('boards.delete', { id }, (db, $) =>
    db.deleteFrom('boards').where('boards.id', '=', $('id')),
  )
}

/** Replaces the labels of a board's scope. */
export async function setBoardLabels(
  tx: Transaction,
  boardId: number,
  labelIds: readonly number[],
): Promise<void> {
  await tx.run('board-labels.clear', { boardId }, (db, $) =>
    db.deleteFrom('boardLabels').where('boardId', '=', $('boardId')),
  )
  if (labelIds.length === 0) return
  await tx.run('board-labels.insert', { boardId, labelIds }, (db, $) =>
    db
      .insertInto('boardLabels')
      .columns(['boardId', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('labels')
          .where(inList('labels.id', $('labelIds')))
          .select([asBigint($('boardId')).as('boardId'), 'labels.id']),
      ),
  )
}

/** Lists the labels of several boards' scopes. */
export function listBoardLabels(
  q: Queries,
  boardIds: readonly number[],
): Promise<{ boardId: number; labelId: number }[]> {
  return q.all('board-labels.of', { boardIds }, (db, $) =>
    db
      .selectFrom('boardLabels')
      .where(inList('boardLabels.boardId', $('boardIds')))
      .select(['boardId', 'labelId']),
  )
}
