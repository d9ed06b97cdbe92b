import { instancePage } from '../../platform/routing/route.ts'
import { showProjects } from './project-list-page.ts'

export const projectRoutes = [
  instancePage('projects', showProjects),
  instancePage('explore', showProjects),
]
