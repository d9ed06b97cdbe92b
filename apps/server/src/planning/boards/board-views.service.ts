import type { Board, BoardList } from '@stithy/core'
import {
  type BoardListRow,
  type BoardRow,
  findLabelRefs,
  listBoardLabels,
  listBoardLists,
} from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/http/call.ts'
import { presentLabelDetails } from '../labels/label.presenter.ts'
import { milestonesById } from '../milestones/milestone-views.service.ts'
import { type BoardMentions, presentBoardLists, presentBoards } from './board.presenter.ts'
import type { BoardParent } from './board-parent.ts'

/** Boards of one parent with their lists. At most five queries, regardless of their number. */
export async function viewBoards(
  app: App,
  caller: Caller,
  parent: BoardParent,
  rows: readonly BoardRow[],
): Promise<Board[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const lists = await listBoardLists(app.db, ids)
  const isPaid = tierAllows(app.config.tier, 'premium')
  const scopes = isPaid ? await listBoardLabels(app.db, ids) : []
  const mentions = await loadMentions(app, [...lists, ...rows, ...scopes])
  const views = rows.map((row) => ({
    row,
    lists: presentBoardLists(
      lists.filter((list) => list.boardId === row.id),
      mentions,
    ),
    labelIds: scopes.filter(({ boardId }) => boardId === row.id).map(({ labelId }) => labelId),
  }))
  return presentBoards(views, mentions, { owner: parent.present(app, caller), isPaid })
}

/** One board. */
export async function viewBoard(
  app: App,
  caller: Caller,
  parent: BoardParent,
  row: BoardRow,
): Promise<Board> {
  const [board] = await viewBoards(app, caller, parent, [row])
  if (board === undefined) throw new TypeError('A board has one view')
  return board
}

/** The lists of one board, in their order. At most four queries. */
export async function viewBoardLists(app: App, boardId: number): Promise<BoardList[]> {
  const lists = await listBoardLists(app.db, [boardId])
  return presentBoardLists(lists, await loadMentions(app, lists))
}

type Mentioning = Partial<Pick<BoardListRow, 'labelId' | 'assigneeId' | 'milestoneId'>>

async function loadMentions(app: App, rows: readonly Mentioning[]): Promise<BoardMentions> {
  const idsOf = (name: keyof Mentioning) => [...new Set(rows.flatMap((row) => row[name] ?? []))]
  const labelIds = idsOf('labelId')
  const labels = labelIds.length === 0 ? [] : await findLabelRefs(app.db, labelIds)
  return {
    labels: new Map(labels.map((label) => [label.id, presentLabelDetails(label)])),
    milestones: await milestonesById(app, idsOf('milestoneId')),
    users: await userRefs(app, idsOf('assigneeId')),
  }
}
