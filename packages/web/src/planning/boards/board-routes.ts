import { projectAndGroupRoutes } from '../../platform/routing/route.ts'
import {
  changeList,
  createBoard,
  createList,
  deleteBoard,
  moveCard,
  renameBoard,
} from './board-actions.ts'
import { showBoard } from './board-page.ts'

export const boardRoutes = projectAndGroupRoutes((page, action) => [
  page('boards', showBoard),
  action('boards', createBoard),
  page('boards/:id', showBoard),
  action('boards/:id', renameBoard),
  action('boards/:id/delete', deleteBoard),
  action('boards/:id/lists', createList),
  action('boards/:id/lists/:list', changeList),
  action('boards/:id/move', moveCard),
])
