import { groupAction, groupPage, projectAction, projectPage } from '../../platform/routing/route.ts'
import {
  addMember,
  approveRequest,
  changeMember,
  denyRequest,
  leave,
  removeMember,
  requestAccess,
} from './member-actions.ts'
import { showMembers } from './members-page.ts'
import { addShare, removeShare } from './share-actions.ts'

const actions = {
  '': addMember,
  '/leave': leave,
  '/request_access': requestAccess,
  '/shares': addShare,
  '/shares/:id/remove': removeShare,
  '/:id/update': changeMember,
  '/:id/remove': removeMember,
  '/:id/approve_access_request': approveRequest,
  '/:id/deny_access_request': denyRequest,
}

export const memberRoutes = [
  projectPage('project_members', showMembers),
  projectPage('members', showMembers),
  groupPage('group_members', showMembers),
  ...Object.entries(actions).flatMap(([pattern, handle]) => [
    projectAction(`project_members${pattern}`, handle),
    groupAction(`group_members${pattern}`, handle),
  ]),
]
