import { notFound, refused, validationFailed } from '@stithy/core'
import {
  type BoardListRow,
  type BoardRow,
  deleteBoardList,
  insertBoardList,
  listBoardLists,
  lockBoard,
  setBoardListPosition,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { requireMember, requireMilestone } from './board.service.ts'
import type { BoardParent } from './board-parent.ts'

/** The label, user or milestone that a list is for; exactly one is set. */
export interface BoardListSubject {
  labelId?: number | undefined
  assigneeId?: number | undefined
  milestoneId?: number | undefined
}

const wireNames = {
  labelId: 'label_id',
  assigneeId: 'assignee_id',
  milestoneId: 'milestone_id',
} as const
type SubjectName = keyof typeof wireNames

/** The subject that is set: the contract of the call admits exactly one. */
function onlySubject(subject: BoardListSubject): { name: SubjectName; id: number } {
  const names = Object.keys(wireNames) as SubjectName[]
  for (const name of names) {
    const id = subject[name]
    if (id !== undefined) return { name, id }
  }
  throw new TypeError('a board list needs a subject')
}

/** @throws DomainError `bad_request` if the parent has no such label, member or milestone. */
async function requireSubject(
  app: App,
  parent: BoardParent,
  { name, id }: { name: SubjectName; id: number },
): Promise<void> {
  if (name === 'milestoneId') return requireMilestone(app, parent, id)
  if (name === 'assigneeId') return requireMember(app, parent, id)
  if ((await parent.findLabel(app, id)) === undefined) throw refused('Label not found!')
}

/** The lists of a board, locked until the transaction ends. @throws DomainError `not_found` */
async function lockBoardLists(tx: Transaction, boardId: number): Promise<BoardListRow[]> {
  if (!(await lockBoard(tx, boardId))) throw notFound('Board')
  return listBoardLists(tx, [boardId])
}

/**
 * Creates a list at the end of a board (`POST /projects/:id/boards/:board_id/lists`) and returns
 * its id.
 * @throws DomainError `bad_request` if the parent has no such subject, `validation_failed`
 *   if the board has a list for it already.
 */
export async function createBoardList(
  app: App,
  parent: BoardParent,
  board: BoardRow,
  subject: BoardListSubject,
): Promise<number> {
  const only = onlySubject(subject)
  await requireSubject(app, parent, only)
  const { name, id } = only
  const createdAt = app.now()
  return app.db.transaction(async (tx) => {
    const lists = await lockBoardLists(tx, board.id)
    if (lists.some((list) => list[name] === id)) {
      throw validationFailed({ [wireNames[name]]: ['has already been taken'] })
    }
    const noSubject = { labelId: null, assigneeId: null, milestoneId: null }
    const position = (lists.at(-1)?.position ?? -1) + 1
    const list = { boardId: board.id, ...noSubject, [name]: id, position, createdAt }
    return (await insertBoardList(tx, list)).id
  })
}

/**
 * Moves a list to another position on its board and renumbers the others.
 * @throws DomainError `not_found`; `bad_request` if the position does not exist or does not change.
 */
export async function moveBoardList(
  app: App,
  board: BoardRow,
  listId: number,
  position: number,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const lists = await lockBoardLists(tx, board.id)
    const from = lists.findIndex((list) => list.id === listId)
    if (from === -1) throw notFound('List')
    if (position < 0 || position >= lists.length || position === from) {
      throw refused('List could not be moved!')
    }
    const moved = lists.toSpliced(from, 1)
    moved.splice(position, 0, ...lists.slice(from, from + 1))
    for (const [index, list] of moved.entries()) {
      if (list.position !== index) await setBoardListPosition(tx, { id: list.id, position: index })
    }
  })
}

/** Removes a list; its issues stay as they are. @throws DomainError `not_found` */
export async function removeBoardList(app: App, board: BoardRow, listId: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    const lists = await lockBoardLists(tx, board.id)
    if (!lists.some((list) => list.id === listId)) throw notFound('List')
    await deleteBoardList(tx, listId)
  })
}
