import { type Board, type BoardList, notFound } from '@stithy/core'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { boardsOf, changeBoard, createBoard, removeBoard } from './board.service.ts'
import { addColumn, moveColumn, removeColumn } from './board-columns.service.ts'
import { type BoardPlace, requireBoard } from './board-place.ts'
import { viewBoard, viewBoardLists, viewBoards } from './board-views.service.ts'

/** Who calls, and the place of the boards that the call is about. */
interface BoardCall {
  app: App
  caller: Caller
  place: BoardPlace
}

interface Edit {
  name?: string | undefined
  assignee_id?: number | null | undefined
  milestone_id?: number | null | undefined
  labels?: readonly string[] | undefined
  weight?: number | null | undefined
}

interface Subject {
  label_id?: number | undefined
  assignee_id?: number | undefined
  milestone_id?: number | undefined
}

/** What both the boards of projects and those of groups answer. */
export const boardCalls = {
  async list({ app, caller, place }: BoardCall, page: PageRequest): Promise<Page<Board>> {
    const found = await boardsOf(app, place, page)
    return { ...found, items: await viewBoards(app, caller, place, found.items) }
  },

  async show({ app, caller, place }: BoardCall, id: number): Promise<Board> {
    return viewBoard(app, caller, place, await requireBoard(app, place, id))
  },

  async create({ app, caller, place }: BoardCall, name: string): Promise<Board> {
    return viewBoard(app, caller, place, await createBoard(app, place, name))
  },

  async update({ app, caller, place }: BoardCall, id: number, edit: Edit): Promise<Board> {
    const { name, assignee_id: assigneeId, milestone_id: milestoneId, labels, weight } = edit
    const board = await requireBoard(app, place, id)
    const change = { name, assigneeId, milestoneId, weight, labelNames: labels }
    return viewBoard(app, caller, place, await changeBoard(app, place, board, change))
  },

  async remove({ app, place }: BoardCall, id: number): Promise<void> {
    await removeBoard(app, await requireBoard(app, place, id))
  },

  async listLists({ app, place }: BoardCall, id: number, page: PageRequest) {
    const lists = await viewBoardLists(app, (await requireBoard(app, place, id)).id)
    const start = (page.page - 1) * page.perPage
    return { ...page, items: lists.slice(start, start + page.perPage), total: lists.length }
  },

  async showList({ app, place }: BoardCall, id: number, listId: number): Promise<BoardList> {
    return onlyList(app, (await requireBoard(app, place, id)).id, listId)
  },

  async createList({ app, place }: BoardCall, id: number, subject: Subject): Promise<BoardList> {
    const { label_id: labelId, assignee_id: assigneeId, milestone_id: milestoneId } = subject
    const board = await requireBoard(app, place, id)
    const listId = await addColumn(app, place, board, { labelId, assigneeId, milestoneId })
    return onlyList(app, board.id, listId)
  },

  async moveList(
    { app, place }: BoardCall,
    { board_id: id, list_id: listId }: { board_id: number; list_id: number },
    position: number,
  ): Promise<BoardList> {
    const board = await requireBoard(app, place, id)
    await moveColumn(app, board, listId, position)
    return onlyList(app, board.id, listId)
  },

  async removeList({ app, place }: BoardCall, id: number, listId: number): Promise<void> {
    await removeColumn(app, await requireBoard(app, place, id), listId)
  },
}

/** One of the columns, with its place among them. @throws DomainError `not_found` */
async function onlyList(app: App, boardId: number, listId: number): Promise<BoardList> {
  const list = (await viewBoardLists(app, boardId)).find(({ id }) => id === listId)
  if (list === undefined) throw notFound('List')
  return list
}
