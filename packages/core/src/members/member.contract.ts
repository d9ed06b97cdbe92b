import { z } from 'zod'
import { groupMemberLevels, projectMemberLevels } from '../access/level.ts'
import { clearableDate } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { integer, oneOfNumbers, optional, text } from '../contract/fields.ts'
import { Member } from './member.schema.ts'

const tag = 'Members'
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

/** Members of projects (catalogue: projects, Members). */
export const projectMembersContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/members',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: projectRead,
    docs: { summary: 'List the direct members of a project', tag },
  }),
  all: endpoint({
    method: 'GET',
    path: '/projects/:id/members/all',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: projectRead,
    docs: { summary: 'List the members of a project, inherited ones too', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/members/:user_id',
    params: one,
    response: { 200: Member },
    auth: projectRead,
    errors: ['not_found'],
    docs: { summary: 'Show a direct member of a project', tag },
  }),
  showAll: endpoint({
    method: 'GET',
    path: '/projects/:id/members/all/:user_id',
    params: one,
    response: { 200: Member },
    auth: projectRead,
    errors: ['not_found'],
    docs: { summary: 'Show a member of a project, inherited or not', tag },
  }),
  add: endpoint({
    method: 'POST',
    path: '/projects/:id/members',
    body: ProjectLevel.extend(newMember),
    response: { 201: Member },
    auth: projectAdmin,
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: { summary: 'Add a member to a project', tag },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/members/:user_id',
    params: one,
    body: ProjectLevel,
    response: { 200: Member },
    auth: projectAdmin,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Change a member of a project', tag },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/members/:user_id',
    params: one,
    response: { 204: null },
    auth: projectRead,
    errors: ['not_found'],
    docs: { summary: 'Remove a member from a project, or leave it', tag },
  }),
}

/** Members of groups (catalogue: groups, Members). */
export const groupMembersContract = {
  list: endpoint({
    method: 'GET',
    path: '/groups/:id/members',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: groupRead,
    docs: { summary: 'List the direct members of a group', tag },
  }),
  all: endpoint({
    method: 'GET',
    path: '/groups/:id/members/all',
    query: listQuery,
    paginated: true,
    response: { 200: z.array(Member) },
    auth: groupRead,
    docs: { summary: 'List the members of a group, inherited ones too', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/groups/:id/members/:user_id',
    params: one,
    response: { 200: Member },
    auth: groupRead,
    errors: ['not_found'],
    docs: { summary: 'Show a direct member of a group', tag },
  }),
  showAll: endpoint({
    method: 'GET',
    path: '/groups/:id/members/all/:user_id',
    params: one,
    response: { 200: Member },
    auth: groupRead,
    errors: ['not_found'],
    docs: { summary: 'Show a member of a group, inherited or not', tag },
  }),
  add: endpoint({
    method: 'POST',
    path: '/groups/:id/members',
    body: GroupLevel.extend(newMember),
    response: { 201: Member },
    auth: groupAdmin,
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: { summary: 'Add a member to a group', tag },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/groups/:id/members/:user_id',
    params: one,
    body: GroupLevel,
    response: { 200: Member },
    auth: groupAdmin,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Change a member of a group', tag },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/groups/:id/members/:user_id',
    params: one,
    response: { 204: null },
    auth: groupRead,
    errors: ['not_found'],
    docs: { summary: 'Remove a member from a group, or leave it', tag },
  }),
}
