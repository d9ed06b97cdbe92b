import type { Board, BoardList } from '@stithy/core'
import {
  type BoardColumnRow,
  type BoardRow,
  findLabelRefs,
  listBoardColumns,
  listBoardLabels,
} from '@stithy/store'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import type { Caller } from '../http/call.ts'
import { presentLabelDetails } from '../labels/label.presenter.ts'
import { milestonesById } from '../milestones/milestone-views.service.ts'
import { userRefs } from '../users/user-views.service.ts'
import { type BoardMentions, presentBoardLists, presentBoards } from './board.presenter.ts'
import type { BoardPlace } from './board-place.ts'

/** Boards of a place with their columns. At most five queries, whatever their number. */
export async function viewBoards(
  app: App,
  caller: Caller,
  place: BoardPlace,
  rows: readonly BoardRow[],
): Promise<Board[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const columns = await listBoardColumns(app.db, ids)
  const isPaid = tierAllows(app.config.tier, 'premium')
  const scopes = isPaid ? await listBoardLabels(app.db, ids) : []
  const mentions = await mentionsOf(app, [...columns, ...rows, ...scopes])
  const views = rows.map((row) => ({
    row,
    lists: presentBoardLists(
      columns.filter((column) => column.boardId === row.id),
      mentions,
    ),
    labelIds: scopes.filter(({ boardId }) => boardId === row.id).map(({ labelId }) => labelId),
  }))
  return presentBoards(views, mentions, { owner: place.shown(app, caller), isPaid })
}

/** One board. */
export async function viewBoard(
  app: App,
  caller: Caller,
  place: BoardPlace,
  row: BoardRow,
): Promise<Board> {
  const [board] = await viewBoards(app, caller, place, [row])
  if (board === undefined) throw new TypeError('A board has one view')
  return board
}

/** The columns of one board, in their order. At most four queries. */
export async function viewBoardLists(app: App, boardId: number): Promise<BoardList[]> {
  const columns = await listBoardColumns(app.db, [boardId])
  return presentBoardLists(columns, await mentionsOf(app, columns))
}

type Mentioning = Partial<Pick<BoardColumnRow, 'labelId' | 'assigneeId' | 'milestoneId'>>

async function mentionsOf(app: App, things: readonly Mentioning[]): Promise<BoardMentions> {
  const named = (name: keyof Mentioning) => [...new Set(things.flatMap((one) => one[name] ?? []))]
  const labelIds = named('labelId')
  const labels = labelIds.length === 0 ? [] : await findLabelRefs(app.db, labelIds)
  return {
    labels: new Map(labels.map((label) => [label.id, presentLabelDetails(label)])),
    milestones: await milestonesById(app, named('milestoneId')),
    users: await userRefs(app, named('assigneeId')),
  }
}
