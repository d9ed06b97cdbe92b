import { invalidParameter, notFound, refused, validationFailed } from '@stithy/core'
import {
  type BoardColumnRow,
  type BoardRow,
  deleteBoardColumn,
  insertBoardColumn,
  listBoardColumns,
  lockBoard,
  placeBoardColumn,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import { requireMilestone, requirePerson } from './board.service.ts'
import type { BoardPlace } from './board-place.ts'

/** What a column is of; exactly one is named. */
export interface ColumnSubject {
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

/** @throws DomainError `invalid_parameter` */
function onlyOne(app: App, subject: ColumnSubject): { name: SubjectName; id: number } {
  const names = Object.keys(wireNames) as SubjectName[]
  const given = names.flatMap((name) => {
    const id = subject[name]
    return id === undefined ? [] : [{ name, id }]
  })
  const [one, ...more] = given
  const list = Object.values(wireNames).join(', ')
  if (more.length > 0) throw invalidParameter(`${list} are mutually exclusive`)
  if (one !== undefined) return one
  if (!tierAllows(app.config.tier, 'premium')) throw invalidParameter('label_id is missing')
  throw invalidParameter(`${list} are missing, exactly one parameter must be provided`)
}

/** @throws DomainError `bad_request` where the place does not have such a thing. */
async function requireSubject(
  app: App,
  place: BoardPlace,
  { name, id }: { name: SubjectName; id: number },
): Promise<void> {
  if (name === 'milestoneId') return requireMilestone(app, place, id)
  if (name === 'assigneeId') return requirePerson(app, place, id)
  if ((await place.findLabel(app, id)) === undefined) throw refused('Label not found!')
}

/** The columns of a board, which others cannot change until the transaction ends. @throws DomainError `not_found` */
async function lockColumns(tx: Transaction, boardId: number): Promise<BoardColumnRow[]> {
  if (!(await lockBoard(tx, boardId))) throw notFound('Board')
  return listBoardColumns(tx, [boardId])
}

/**
 * Adds a column behind the others (catalogue: planning, 2), and answers its id.
 * @throws DomainError `invalid_parameter` where not exactly one thing is named, `bad_request` where there is no such
 *   thing, `validation_failed` where the board has a column of it.
 */
export async function addColumn(
  app: App,
  place: BoardPlace,
  board: BoardRow,
  subject: ColumnSubject,
): Promise<number> {
  const named = onlyOne(app, subject)
  await requireSubject(app, place, named)
  const { name, id } = named
  const createdAt = app.now()
  return app.db.transaction(async (tx) => {
    const columns = await lockColumns(tx, board.id)
    if (columns.some((column) => column[name] === id)) {
      throw validationFailed({ [wireNames[name]]: ['has already been taken'] })
    }
    const nothing = { labelId: null, assigneeId: null, milestoneId: null }
    const position = (columns.at(-1)?.position ?? -1) + 1
    const column = { boardId: board.id, ...nothing, [name]: id, position, createdAt }
    return (await insertBoardColumn(tx, column)).id
  })
}

/**
 * Moves a column to a place in the order of its board, and renumbers the others.
 * @throws DomainError `not_found`, `bad_request` where there is no such place, or where it is the column's own.
 */
export async function moveColumn(
  app: App,
  board: BoardRow,
  columnId: number,
  position: number,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const columns = await lockColumns(tx, board.id)
    const from = columns.findIndex((column) => column.id === columnId)
    if (from === -1) throw notFound('List')
    if (position < 0 || position >= columns.length || position === from) {
      throw refused('List could not be moved!')
    }
    const moved = columns.toSpliced(from, 1)
    moved.splice(position, 0, ...columns.slice(from, from + 1))
    for (const [place, column] of moved.entries()) {
      if (column.position !== place) await placeBoardColumn(tx, { id: column.id, position: place })
    }
  })
}

/** Removes a column; the issues in it stay as they are. @throws DomainError `not_found` */
export async function removeColumn(app: App, board: BoardRow, columnId: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    const columns = await lockColumns(tx, board.id)
    if (!columns.some((column) => column.id === columnId)) throw notFound('List')
    await deleteBoardColumn(tx, columnId)
  })
}
