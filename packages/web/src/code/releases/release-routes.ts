import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { changeRelease } from './release-actions.ts'
import { showNewRelease, showRelease, showReleases } from './release-pages.ts'
import { leadToSourceArchive } from './source-archive.ts'

const mayCreate = (call: PageCall) => call.permits.releases.create({ projectId: projectPath(call) })

export const releaseRoutes = [
  projectPage('releases', showReleases),
  projectPage('releases/new', permitted(mayCreate, showNewRelease)),
  projectPage('releases/*target', showRelease),
  projectAction('releases', changeRelease),
  projectPage('archive/*file', leadToSourceArchive),
]
