import { z } from 'zod'
import { groupMemberLevels, projectMemberLevels } from '../../platform/access/level.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, oneOfNumbers } from '../../platform/contract/fields.ts'
import { AccessRequest, ApprovedAccessRequest } from './access-request.schema.ts'

/** The level of a membership whose approval names none: Developer. */
const defaultLevel = 30

const params = z.object({ user_id: integer({ min: 1 }) })

/** Requests of users to become members of a project. */
export const projectAccessRequestsContract = {
  list: endpoint({
    name: 'accessRequests.list',
    method: 'GET',
    path: '/projects/:id/access_requests',
    paginated: true,
    response: { 200: z.array(AccessRequest) },
    auth: { on: 'project', ability: 'read_access_requests' },
    docs: { summary: 'List access requests of a project', description: 'Oldest first.' },
  }),
  create: endpoint({
    name: 'accessRequests.create',
    method: 'POST',
    path: '/projects/:id/access_requests',
    response: { 201: AccessRequest },
    auth: { on: 'project', ability: 'request_access' },
    errors: ['forbidden', 'validation_failed'],
    docs: {
      summary: 'Request access to a project',
      description:
        'For users who can see the project and are not members of it. Returns 403 if the ' +
        'project takes no requests (`request_access_enabled`), 400 for a second request.',
    },
  }),
  approve: endpoint({
    name: 'accessRequests.approve',
    method: 'PUT',
    path: '/projects/:id/access_requests/:user_id/approve',
    params,
    body: z.object({ access_level: oneOfNumbers(projectMemberLevels).default(defaultLevel) }),
    response: { 200: ApprovedAccessRequest },
    auth: { on: 'project', ability: 'admin_access_requests' },
    errors: ['not_found', 'conflict', 'validation_failed', 'method_not_allowed'],
    docs: {
      summary: 'Approve an access request of a project',
      description: 'Makes the user a member. Returns 405 if the group locks memberships.',
    },
  }),
  delete: endpoint({
    name: 'accessRequests.delete',
    method: 'DELETE',
    path: '/projects/:id/access_requests/:user_id',
    params,
    response: { 204: null },
    auth: { on: 'project_member', ability: 'delete_project_access_request' },
    errors: ['not_found'],
    docs: {
      summary: 'Deny an access request of a project',
      description: 'Users may withdraw their own.',
    },
  }),
}

/** Requests of users to become members of a group. */
export const groupAccessRequestsContract = {
  list: endpoint({
    name: 'accessRequests.list',
    method: 'GET',
    path: '/groups/:id/access_requests',
    paginated: true,
    response: { 200: z.array(AccessRequest) },
    auth: { on: 'group', ability: 'admin_group_access_requests' },
    docs: { summary: 'List access requests of a group', description: 'Oldest first.' },
  }),
  create: endpoint({
    name: 'accessRequests.create',
    method: 'POST',
    path: '/groups/:id/access_requests',
    response: { 201: AccessRequest },
    auth: { on: 'group', ability: 'request_group_access' },
    errors: ['forbidden', 'validation_failed'],
    docs: {
      summary: 'Request access to a group',
      description:
        'For users who can see the group and are not members of it. Returns 403 if the group ' +
        'takes no requests (`request_access_enabled`), 400 for a second request.',
    },
  }),
  approve: endpoint({
    name: 'accessRequests.approve',
    method: 'PUT',
    path: '/groups/:id/access_requests/:user_id/approve',
    params,
    body: z.object({ access_level: oneOfNumbers(groupMemberLevels).default(defaultLevel) }),
    response: { 200: ApprovedAccessRequest },
    auth: { on: 'group', ability: 'admin_group_access_requests' },
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: {
      summary: 'Approve an access request of a group',
      description: 'Makes the user a member.',
    },
  }),
  delete: endpoint({
    name: 'accessRequests.delete',
    method: 'DELETE',
    path: '/groups/:id/access_requests/:user_id',
    params,
    response: { 204: null },
    auth: { on: 'group_member', ability: 'delete_group_access_request' },
    errors: ['not_found'],
    docs: {
      summary: 'Deny an access request of a group',
      description: 'Users may withdraw their own.',
    },
  }),
}
