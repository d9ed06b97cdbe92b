import {
  groupAction,
  groupPage,
  projectAction,
  projectPage,
  type Route,
} from '../../platform/routing/route.ts'
import {
  changeList,
  createBoard,
  createList,
  deleteBoard,
  moveCard,
  renameBoard,
} from './board-actions.ts'
import { showBoard } from './board-page.ts'

/** The same pages for projects and groups. */
function routesOf(page: typeof projectPage, action: typeof projectAction): Route[] {
  return [
    page('boards', showBoard),
    action('boards', createBoard),
    page('boards/:id', showBoard),
    action('boards/:id', renameBoard),
    action('boards/:id/delete', deleteBoard),
    action('boards/:id/lists', createList),
    action('boards/:id/lists/:list', changeList),
    action('boards/:id/move', moveCard),
  ]
}

export const boardRoutes: readonly Route[] = [
  ...routesOf(projectPage, projectAction),
  ...routesOf(groupPage, groupAction),
]
