import { instancePage } from '../../platform/routing/route.ts'
import { exploreGroups, showOwnGroups } from './group-list-page.ts'

export const groupRoutes = [
  instancePage('groups', showOwnGroups),
  instancePage('dashboard/groups', showOwnGroups),
  instancePage('explore/groups', exploreGroups),
]
