import { forbidden, notFound, refused, validationFailed, workItemErrors } from '@stithy/core'
import {
  type BoardData,
  type BoardRow,
  deleteBoard,
  insertBoard,
  listBoards,
  setBoardLabels,
  updateBoard,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { BoardParent } from './board-parent.ts'

/** @throws DomainError `validation_failed` */
function requireName(text: string): string {
  const name = text.trim()
  const errors = workItemErrors({ title: name })?.title
  if (errors !== undefined) throw validationFailed({ name: errors })
  return name
}

/**
 * Creates a board; in the community tier, a project or group has at most one.
 * @throws DomainError `validation_failed`, `forbidden`
 */
export async function createBoard(
  app: App,
  { owner }: BoardParent,
  text: string,
): Promise<BoardRow> {
  const several = tierAllows(app.config.tier, 'premium')
  const name = requireName(text)
  const row = await app.db.transaction(async (tx) => {
    const board = { name, starter: several ? null : (1 as const), createdAt: app.now() }
    if (!several && (await listBoards(tx, owner, { page: 1, perPage: 1 })).total > 0) return
    return insertBoard(tx, owner, board)
  })
  if (row === undefined) throw forbidden('Several boards are not available in this tier')
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

/** Deletes a board with its lists. */
export async function removeBoard(app: App, board: BoardRow): Promise<void> {
  await app.db.transaction((tx) => deleteBoard(tx, board.id))
}
