import {
  type BoardList,
  type boardsContract,
  type groupBoardsContract,
  notFound,
} from '@stithy/core'
import type { App } from '../app.ts'
import type { Handlers } from '../http/call.ts'
import { onPlace, type PlacedHandlers } from '../http/placed-handlers.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import { boardsOf, changeBoard, createBoard, removeBoard } from './board.service.ts'
import { addColumn, moveColumn, removeColumn } from './board-columns.service.ts'
import { type BoardPlace, groupPlace, projectPlace, requireBoard } from './board-place.ts'
import { viewBoard, viewBoardLists, viewBoards } from './board-views.service.ts'

const handlers: PlacedHandlers<typeof groupBoardsContract, BoardPlace> = {
  async list({ app, caller, place, page }) {
    const found = await boardsOf(app, place, page)
    return { ...found, items: await viewBoards(app, caller, place, found.items) }
  },

  async show({ app, caller, place, params }) {
    return viewBoard(app, caller, place, await requireBoard(app, place, params.board_id))
  },

  async create({ app, caller, place, body }) {
    return viewBoard(app, caller, place, await createBoard(app, place, body.name))
  },

  async update({ app, caller, place, params, body }) {
    const { name, assignee_id: assigneeId, milestone_id: milestoneId, labels, weight } = body
    const board = await requireBoard(app, place, params.board_id)
    const change = { name, assigneeId, milestoneId, weight, labelNames: labels }
    return viewBoard(app, caller, place, await changeBoard(app, place, board, change))
  },

  async remove({ app, place, params, headers }) {
    const board = await requireBoard(app, place, params.board_id)
    requireUnmodified(headers, board.updatedAt)
    await removeBoard(app, board)
  },

  async listLists({ app, place, params, page }) {
    const lists = await viewBoardLists(app, (await requireBoard(app, place, params.board_id)).id)
    const start = (page.page - 1) * page.perPage
    return { ...page, items: lists.slice(start, start + page.perPage), total: lists.length }
  },

  async showList({ app, place, params }) {
    return onlyList(app, (await requireBoard(app, place, params.board_id)).id, params.list_id)
  },

  async createList({ app, place, params, body }) {
    const { label_id: labelId, assignee_id: assigneeId, milestone_id: milestoneId } = body
    const board = await requireBoard(app, place, params.board_id)
    const listId = await addColumn(app, place, board, { labelId, assigneeId, milestoneId })
    return onlyList(app, board.id, listId)
  },

  async moveList({ app, place, params, body }) {
    const board = await requireBoard(app, place, params.board_id)
    await moveColumn(app, board, params.list_id, body.position)
    return onlyList(app, board.id, params.list_id)
  },

  async removeList({ app, place, params }) {
    await removeColumn(app, await requireBoard(app, place, params.board_id), params.list_id)
  },
}

export const boardHandlers: Handlers<typeof boardsContract> = onPlace(handlers, projectPlace)

export const groupBoardHandlers: Handlers<typeof groupBoardsContract> = onPlace(
  handlers,
  groupPlace,
)

/** One of the columns, with its place among them. @throws DomainError `not_found` */
async function onlyList(app: App, boardId: number, listId: number): Promise<BoardList> {
  const list = (await viewBoardLists(app, boardId)).find(({ id }) => id === listId)
  if (list === undefined) throw notFound('List')
  return list
}
