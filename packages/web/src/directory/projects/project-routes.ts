import { instancePage } from '../../platform/routing/route.ts'
import { exploreProjects, showOwnProjects, showStarredProjects } from './project-list-page.ts'

export const projectRoutes = [
  instancePage('projects', showOwnProjects),
  instancePage('dashboard/projects', showOwnProjects),
  instancePage('dashboard/projects/starred', showStarredProjects),
  instancePage('explore', exploreProjects),
  instancePage('explore/projects', exploreProjects),
]
