import { permitted } from '../../platform/routing/permitted.ts'
import {
  groupAction,
  groupPage,
  instanceAction,
  instancePage,
} from '../../platform/routing/route.ts'
import { exploreGroups, showOwnGroups } from './group-list-page.ts'
import { showGroup, showSubgroups } from './group-page.ts'
import {
  changeGroupPath,
  deleteGroup,
  saveGroup,
  transferProject,
} from './group-settings-actions.ts'
import { showGroupSettings } from './group-settings-page.ts'
import { createGroup, mayCreateGroup, showNewGroup } from './new-group-page.ts'

export const groupRoutes = [
  instancePage('groups', showOwnGroups),
  instancePage('dashboard/groups', showOwnGroups),
  instancePage('explore/groups', exploreGroups),
  instancePage('groups/new', permitted(mayCreateGroup, showNewGroup)),
  instanceAction('groups', createGroup),
  groupPage('', showGroup),
  groupPage('subgroups', showSubgroups),
  groupPage('edit', showGroupSettings),
  groupAction('edit', saveGroup),
  groupAction('edit/path', changeGroupPath),
  groupAction('edit/transfer', transferProject),
  groupAction('edit/delete', deleteGroup),
]
