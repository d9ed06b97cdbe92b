import { z } from 'zod'
import { groupMemberLevels, projectMemberLevels } from '../../platform/access/level.ts'
import { clearableDate } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, oneOfNumbers, optional, text } from '../../platform/contract/fields.ts'
import { Member } from './member.schema.ts'

const one = z.object({ user_id: integer({ min: 1 }) })
const listQuery = z.object(optional({ query: text() }))
const projectRead = { on: 'project', ability: 'read_members' } as const
const projectAdmin = { on: 'project', ability: 'admin_members' } as const
const groupRead = { on: 'group', ability: 'read_group_members' } as const
const groupAdmin = { on: 'group', ability: 'admin_group_members' } as const

const ProjectLevel = z.object({
  access_level: oneOfNumbers(projectMemberLevels),
  expires_at: clearableDate().optional(),
})
const GroupLevel = z.object({
  access_level: oneOfNumbers(groupMemberLevels),
  expires_at: clearableDate().optional(),
})
const newMember = { user_id: integer({ min: 1 }) }

/** Members of projects. */
export const projectMembersContract = {
  list: endpoint({
    name: 'members.list',
    method: 'GET',
    path: '/projects/:id/members',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: projectRead,
    docs: { summary: 'List direct members of a project' },
  }),
  all: endpoint({
    name: 'members.all.list',
    method: 'GET',
    path: '/projects/:id/members/all',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: projectRead,
    docs: { summary: 'List all members of a project', description: 'Including inherited ones.' },
  }),
  show: endpoint({
    name: 'members.show',
    method: 'GET',
    path: '/projects/:id/members/:user_id',
    params: one,
    response: { 200: Member },
    auth: projectRead,
    errors: ['not_found'],
    docs: { summary: 'Show a direct member of a project' },
  }),
  showAll: endpoint({
    name: 'members.all.show',
    method: 'GET',
    path: '/projects/:id/members/all/:user_id',
    params: one,
    response: { 200: Member },
    auth: projectRead,
    errors: ['not_found'],
    docs: { summary: 'Show a direct or inherited member of a project' },
  }),
  add: endpoint({
    name: 'members.create',
    method: 'POST',
    path: '/projects/:id/members',
    body: ProjectLevel.extend(newMember),
    response: { 201: Member },
    auth: projectAdmin,
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: { summary: 'Add a member to a project' },
  }),
  update: endpoint({
    name: 'members.update',
    method: 'PUT',
    path: '/projects/:id/members/:user_id',
    params: one,
    body: ProjectLevel,
    response: { 200: Member },
    auth: projectAdmin,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Update a member of a project' },
  }),
  remove: endpoint({
    name: 'members.delete',
    method: 'DELETE',
    path: '/projects/:id/members/:user_id',
    params: one,
    response: { 204: null },
    auth: { on: 'project_member', ability: 'remove_project_member' },
    errors: ['not_found'],
    docs: {
      summary: 'Remove a member from a project',
      description: 'Members may remove themselves.',
    },
  }),
}

/** Members of groups. */
export const groupMembersContract = {
  list: endpoint({
    name: 'members.list',
    method: 'GET',
    path: '/groups/:id/members',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: groupRead,
    docs: { summary: 'List direct members of a group' },
  }),
  all: endpoint({
    name: 'members.all.list',
    method: 'GET',
    path: '/groups/:id/members/all',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: groupRead,
    docs: { summary: 'List all members of a group', description: 'Including inherited ones.' },
  }),
  show: endpoint({
    name: 'members.show',
    method: 'GET',
    path: '/groups/:id/members/:user_id',
    params: one,
    response: { 200: Member },
    auth: groupRead,
    errors: ['not_found'],
    docs: { summary: 'Show a direct member of a group' },
  }),
  showAll: endpoint({
    name: 'members.all.show',
    method: 'GET',
    path: '/groups/:id/members/all/:user_id',
    params: one,
    response: { 200: Member },
    auth: groupRead,
    errors: ['not_found'],
    docs: { summary: 'Show a direct or inherited member of a group' },
  }),
  add: endpoint({
    name: 'members.create',
    method: 'POST',
    path: '/groups/:id/members',
    body: GroupLevel.extend(newMember),
    response: { 201: Member },
    auth: groupAdmin,
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: { summary: 'Add a member to a group' },
  }),
  update: endpoint({
    name: 'members.update',
    method: 'PUT',
    path: '/groups/:id/members/:user_id',
    params: one,
    body: GroupLevel,
    response: { 200: Member },
    auth: groupAdmin,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Update a member of a group' },
  }),
  remove: endpoint({
    name: 'members.delete',
    method: 'DELETE',
    path: '/groups/:id/members/:user_id',
    params: one,
    response: { 204: null },
    auth: { on: 'group_member', ability: 'remove_group_member' },
    errors: ['not_found'],
    docs: {
      summary: 'Remove a member from a group',
      description: 'Members may remove themselves.',
    },
  }),
}
