import { type PageCall, parentOf } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
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

const mayAdd = (call: PageCall) => call.permits.members.create(parentOf(call))
const mayShare = ({ params, permits }: PageCall) =>
  params.project === undefined
    ? permits.groups.share({ groupId: params.group ?? '' })
    : permits.projects.share({ projectId: params.project })

// Who is named is looked up for those who may add them.
const actions = {
  '': permitted(mayAdd, addMember),
  '/leave': leave,
  '/request_access': requestAccess,
  '/shares': permitted(mayShare, addShare),
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
