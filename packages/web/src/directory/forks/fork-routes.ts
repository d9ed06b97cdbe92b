import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { showForks } from './fork-list-page.ts'
import { createFork, showNewFork } from './new-fork-page.ts'

export const forkRoutes = [
  projectPage('forks', showForks),
  projectAction('forks', createFork),
  projectPage('forks/new', showNewFork),
]
