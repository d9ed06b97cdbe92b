import type { PageCall } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import {
  instanceAction,
  instancePage,
  projectAction,
  projectPage,
} from '../../platform/routing/route.ts'
import { createProject, showNewProject } from './new-project-page.ts'
import { exploreProjects, showOwnProjects, showStarredProjects } from './project-list-page.ts'
import { showForks, showStarrers } from './project-people-pages.ts'
import { star, unstar } from './project-star.ts'

const mayCreate = (call: PageCall) => call.permits.projects.create()

export const projectRoutes = [
  instancePage('projects', showOwnProjects),
  instancePage('dashboard/projects', showOwnProjects),
  instancePage('dashboard/projects/starred', showStarredProjects),
  instancePage('explore', exploreProjects),
  instancePage('explore/projects', exploreProjects),
  instancePage('projects/new', permitted(mayCreate, showNewProject)),
  instanceAction('projects', createProject),
  projectPage('starrers', showStarrers),
  projectPage('forks', showForks),
  projectAction('star', star),
  projectAction('unstar', unstar),
]
