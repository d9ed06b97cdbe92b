import { notFound, refused, validationFailed, workItemErrors } from '@stithy/core'
import {
  type BoardData,
  type BoardRow,
  deleteBoard,
  insertBoard,
  listBoards,
  type Page,
  type PageRequest,
  setBoardLabels,
  updateBoard,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { BoardPlace } from './board-place.ts'

/** How the board is called that a project or group gets by itself. */
const starterName = 'Development'

/** The boards of a place; where it has none yet, it gets its first one (catalogue: groups, Boards). */
export async function boardsOf(
  app: App,
  { owner, mayGetStarter }: BoardPlace,
  page: PageRequest,
): Promise<Page<BoardRow>> {
  const found = await listBoards(app.db, owner, page)
  if (found.total > 0 || !mayGetStarter) return found
  const board = { name: starterName, starter: 1, createdAt: app.now() } as const
  await app.db.transaction(async (tx) => {
    const { total } = await listBoards(tx, owner, { page: 1, perPage: 1 })
    // Of two first calls at once, the key of such boards lets one make it.
    if (total === 0) await insertBoard(tx, owner, board)
  })
  return listBoards(app.db, owner, page)
}

/** @throws DomainError `validation_failed` */
function requireName(text: string): string {
  const name = text.trim()
  const errors = workItemErrors({ title: name })?.title
  if (errors !== undefined) throw validationFailed({ name: errors })
  return name
}

/** Makes a board. @throws DomainError `validation_failed` */
export async function createBoard(app: App, place: BoardPlace, text: string): Promise<BoardRow> {
  const board = { name: requireName(text), starter: null, createdAt: app.now() }
  const row = await app.db.transaction((tx) => insertBoard(tx, place.owner, board))
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/** What is to change of a board; what is undefined stays, null and 0 clear. */
export interface BoardEdit {
  name?: string | undefined
  milestoneId?: number | null | undefined
  assigneeId?: number | null | undefined
  weight?: number | null | undefined
  labelNames?: readonly string[] | undefined
}

/**
 * Changes a board, or what it is narrowed to; names of labels that there are not are left out.
 * @throws DomainError `validation_failed`, `bad_request` for a milestone or a person that the place does not have,
 *   `not_found` where the board has gone meanwhile.
 */
export async function changeBoard(
  app: App,
  place: BoardPlace,
  board: BoardRow,
  edit: BoardEdit,
): Promise<BoardRow> {
  const data: BoardData = {
    name: edit.name === undefined ? board.name : requireName(edit.name),
    milestoneId: edit.milestoneId === undefined ? board.milestoneId : edit.milestoneId || null,
    assigneeId: edit.assigneeId === undefined ? board.assigneeId : edit.assigneeId || null,
    weight: edit.weight === undefined ? board.weight : edit.weight,
  }
  if (edit.milestoneId) await requireMilestone(app, place, edit.milestoneId)
  if (edit.assigneeId) await requirePerson(app, place, edit.assigneeId)
  const { labelNames } = edit
  const labels = labelNames === undefined ? undefined : await place.findLabels(app, labelNames)
  return app.db.transaction(async (tx) => {
    const row = await updateBoard(tx, { ...data, id: board.id, updatedAt: app.now() })
    if (row === undefined) throw notFound('Board')
    if (labels !== undefined) {
      await setBoardLabels(
        tx,
        row.id,
        labels.map((label) => label.id),
      )
    }
    return row
  })
}

/** @throws DomainError `bad_request` */
export async function requireMilestone(app: App, place: BoardPlace, id: number): Promise<void> {
  if ((await place.findMilestone(app, id)) === undefined) throw refused('Milestone not found!')
}

/** Somebody who belongs to the place. @throws DomainError `bad_request` */
export async function requirePerson(app: App, place: BoardPlace, id: number): Promise<void> {
  if ((await place.levelOf(app, id)) === 0) throw refused('User not found!')
}

/** Deletes a board with its columns; the place gets a new first one when its boards are asked for. */
export async function removeBoard(app: App, board: BoardRow): Promise<void> {
  await app.db.transaction((tx) => deleteBoard(tx, board.id))
}
