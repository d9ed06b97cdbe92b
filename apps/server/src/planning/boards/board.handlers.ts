import {
  type BoardList,
  type boardsContract,
  type groupBoardsContract,
  notFound,
} from '@stithy/core'
import { listBoards } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { onParent, type ParentHandlers } from '../../platform/http/parent-handlers.ts'
import { changeBoard, createBoard, removeBoard } from './board.service.ts'
import { createBoardList, moveBoardList, removeBoardList } from './board-lists.service.ts'
import { type BoardParent, groupParent, projectParent, requireBoard } from './board-parent.ts'
import { viewBoard, viewBoardLists, viewBoards } from './board-views.service.ts'

const handlers: ParentHandlers<typeof groupBoardsContract, BoardParent> = {
  async list({ app, caller, parent, page }) {
    const found = await listBoards(app.db, parent.owner, page)
    return { ...found, items: await viewBoards(app, caller, parent, found.items) }
  },

  async show({ app, caller, parent, params }) {
    return viewBoard(app, caller, parent, await requireBoard(app, parent, params.board_id))
  },

  async create({ app, caller, parent, body }) {
    return viewBoard(app, caller, parent, await createBoard(app, parent, body.name))
  },

  async update({ app, caller, parent, params, body }) {
    const { name, assignee_id: assigneeId, milestone_id: milestoneId, labels, weight } = body
    const board = await requireBoard(app, parent, params.board_id)
    const change = { name, assigneeId, milestoneId, weight, labelNames: labels }
    return viewBoard(app, caller, parent, await changeBoard(app, parent, board, change))
  },

  async remove({ app, parent, params, headers }) {
    const board = await requireBoard(app, parent, params.board_id)
    requireUnmodified(headers, board.updatedAt)
    await removeBoard(app, board)
  },

  async listLists({ app, parent, params, page }) {
    const lists = await viewBoardLists(app, (await requireBoard(app, parent, params.board_id)).id)
    const start = (page.page - 1) * page.perPage
    return { ...page, items: lists.slice(start, start + page.perPage), total: lists.length }
  },

  async showList({ app, parent, params }) {
    return requireBoardList(
      app,
      (await requireBoard(app, parent, params.board_id)).id,
      params.list_id,
    )
  },

  async createList({ app, parent, params, body }) {
    const { label_id: labelId, assignee_id: assigneeId, milestone_id: milestoneId } = body
    const board = await requireBoard(app, parent, params.board_id)
    const listId = await createBoardList(app, parent, board, { labelId, assigneeId, milestoneId })
    return requireBoardList(app, board.id, listId)
  },

  async moveList({ app, parent, params, body }) {
    const board = await requireBoard(app, parent, params.board_id)
    await moveBoardList(app, board, params.list_id, body.position)
    return requireBoardList(app, board.id, params.list_id)
  },

  async removeList({ app, parent, params }) {
    await removeBoardList(app, await requireBoard(app, parent, params.board_id), params.list_id)
  },
}

export const boardHandlers: Handlers<typeof boardsContract> = onParent(handlers, projectParent)

export const groupBoardHandlers: Handlers<typeof groupBoardsContract> = onParent(
  handlers,
  groupParent,
)

/** A list with its position on the board. @throws DomainError `not_found` */
async function requireBoardList(app: App, boardId: number, listId: number): Promise<BoardList> {
  const list = (await viewBoardLists(app, boardId)).find(({ id }) => id === listId)
  if (list === undefined) throw notFound('List')
  return list
}
