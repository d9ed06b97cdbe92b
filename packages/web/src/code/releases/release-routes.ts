import { whileOpen } from '../../directory/projects/project-place.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { changeRelease } from './release-actions.ts'
import { showNewRelease, showRelease, showReleases } from './release-pages.ts'

export const releaseRoutes = [
  projectPage('releases', showReleases),
  projectPage('releases/new', whileOpen(showNewRelease)),
  projectPage('releases/*target', showRelease),
  projectAction('releases', changeRelease),
]
