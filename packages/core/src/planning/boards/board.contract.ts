import { boardEndpoints } from './board-endpoints.ts'

/** Boards of a project. */
export const boardsContract = boardEndpoints({
  path: '/projects/:id/boards',
  read: { on: 'project', ability: 'read_boards' },
  admin: { on: 'project', ability: 'admin_boards' },
  a: 'a project',
})

/** Boards of a group. */
export const groupBoardsContract = boardEndpoints({
  path: '/groups/:id/boards',
  read: { on: 'group', ability: 'read_group_boards' },
  admin: { on: 'group', ability: 'admin_group_boards' },
  a: 'a group',
})
