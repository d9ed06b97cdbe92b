import { groupPage, instancePage, projectPage, userPage } from '../../platform/routing/route.ts'
import { showGroupActivity, showOwnActivity, showProjectActivity } from './activity-pages.ts'
import { showUser, showUserGroups, showUserProjects, showUserStarred } from './user-pages.ts'

export const eventRoutes = [
  projectPage('activity', showProjectActivity),
  groupPage('activity', showGroupActivity),
  instancePage('dashboard/activity', showOwnActivity),
  userPage('', showUser),
  userPage('activity', showUser),
  userPage('projects', showUserProjects),
  userPage('groups', showUserGroups),
  userPage('starred', showUserStarred),
]
