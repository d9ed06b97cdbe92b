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
import type { App } from '../../platform/app.ts'
import type { BoardParent } from './board-parent.ts'

/** The name of the default board of a project or group. */
const defaultBoardName = 'Development'

/** Lists the boards of a parent; creates its default board if it has none. */
export async function listOrCreateBoards(
  app: App,
  { owner, mayCreateDefault }: BoardParent,
  page: PageRequest,
): Promise<Page<BoardRow>> {
  const found = await listBoards(app.db, owner, page)
  if (found.total > 0 || !mayCreateDefault) return found
  const board = { name: defaultBoardName, starter: 1, createdAt: app.now() } as const
  await app.db.transaction(async (tx) => {
    const { total } = await listBoards(tx, owner, { page: 1, perPage: 1 })
    // Of two concurrent first calls, the unique key of default boards lets one create it.
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

/** Creates a board. @throws DomainError `validation_failed` */
export async function createBoard(app: App, parent: BoardParent, text: string): Promise<BoardRow> {
  const board = { name: requireName(text), starter: null, createdAt: app.now() }
  const row = await app.db.transaction((tx) => insertBoard(tx, parent.owner, board))
  if (row === undefined) throw new TypeError('The insert returned no row')
  return row
}

/** A change of a board: undefined keeps a value, null and 0 clear it. */
export interface BoardEdit {
  name?: string | undefined
  milestoneId?: number | null | undefined
  assigneeId?: number | null | undefined
  weight?: number | null | undefined
  labelNames?: readonly string[] | undefined
}

/**
 * Changes the name or the scope of a board; ignores names of unknown labels.
 * @throws DomainError `validation_failed`; `bad_request` for a milestone or user outside the
 *   parent; `not_found` if the board was deleted concurrently.
 */
export async function changeBoard(
  app: App,
  parent: BoardParent,
  board: BoardRow,
  edit: BoardEdit,
): Promise<BoardRow> {
  const data: BoardData = {
    name: edit.name === undefined ? board.name : requireName(edit.name),
    milestoneId: edit.milestoneId === undefined ? board.milestoneId : edit.milestoneId || null,
    assigneeId: edit.assigneeId === undefined ? board.assigneeId : edit.assigneeId || null,
    weight: edit.weight === undefined ? board.weight : edit.weight,
  }
  if (edit.milestoneId) await requireMilestone(app, parent, edit.milestoneId)
  if (edit.assigneeId) await requireMember(app, parent, edit.assigneeId)
  const { labelNames } = edit
  const labels = labelNames === undefined ? undefined : await parent.findLabels(app, labelNames)
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
export async function requireMilestone(app: App, parent: BoardParent, id: number): Promise<void> {
  if ((await parent.findMilestone(app, id)) === undefined) throw refused('Milestone not found!')
}

/** Requires a member of the parent. @throws DomainError `bad_request` */
export async function requireMember(app: App, parent: BoardParent, id: number): Promise<void> {
  if ((await parent.accessLevelOf(app, id)) === 0) throw refused('User not found!')
}

/** Deletes a board with its lists. Without boards, the next list call creates a default one. */
export async function removeBoard(app: App, board: BoardRow): Promise<void> {
  await app.db.transaction((tx) => deleteBoard(tx, board.id))
}
