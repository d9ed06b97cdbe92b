import { groupPage, instancePage, projectPage } from '../../platform/routing/route.ts'
import { showSearch } from './search-page.ts'

export const searchRoutes = [
  instancePage('search', showSearch),
  projectPage('search', showSearch),
  groupPage('search', showSearch),
]
