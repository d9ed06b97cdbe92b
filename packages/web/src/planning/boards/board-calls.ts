import type { PagePromise } from '@stithy/client'
import type { Board, BoardList } from '@stithy/core'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** The list of a board that is created: for a label, a user or a milestone. */
export interface NewList {
  label_id?: number
  assignee_id?: number
  milestone_id?: number
}

/** The calls of the boards of a project or group. */
export interface BoardCalls {
  list: () => PagePromise<Board>
  show: (boardId: number) => Promise<Board>
  create: (name: string) => Promise<Board>
  rename: (boardId: number, name: string) => Promise<Board>
  remove: (boardId: number) => Promise<unknown>
  createList: (boardId: number, list: NewList) => Promise<BoardList>
  moveList: (boardId: number, listId: number, position: number) => Promise<unknown>
  removeList: (boardId: number, listId: number) => Promise<unknown>
}

export function boardCalls({
  client: { boards },
  params,
}: Pick<PageCall, 'client' | 'params'>): BoardCalls {
  const { project: projectId, group: groupId = '' } = params
  const owner = projectId === undefined ? { groupId } : { projectId }
  return {
    list: () => boards.list({ ...owner, per_page: 100 }),
    show: (boardId) => boards.show({ ...owner, boardId }),
    create: (name) => boards.create({ ...owner, name }),
    rename: (boardId, name) => boards.update({ ...owner, boardId, name }),
    remove: (boardId) => boards.delete({ ...owner, boardId }),
    createList: (boardId, list) => boards.lists.create({ ...owner, boardId, ...list }),
    moveList: (boardId, listId, position) =>
      boards.lists.update({ ...owner, boardId, listId, position }),
    removeList: (boardId, listId) => boards.lists.delete({ ...owner, boardId, listId }),
  }
}
