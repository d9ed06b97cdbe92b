import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { showForks } from './fork-list-page.ts'
import { createFork, showNewFork } from './new-fork-page.ts'

const mayFork = (call: PageCall) => call.permits.projects.fork({ projectId: projectPath(call) })

export const forkRoutes = [
  projectPage('forks', showForks),
  projectAction('forks', createFork),
  projectPage('forks/new', permitted(mayFork, showNewFork)),
]
