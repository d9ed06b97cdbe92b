import { z } from 'zod'
import { clearableDate } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, filledText, integer, oneOfNumbers, optional, text } from '../contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'
import { Project, ProjectShare } from './project.schema.ts'
import { allProjectFilters, userProjectFilters } from './project-filters.ts'
import {
  projectCreateSettings,
  projectEditSettings,
  projectSettings,
} from './project-settings.schema.ts'

const tag = 'Projects'
const Accepted = z.object({ message: z.string() })

/** Projects (document 3, Projects; catalogue: projects). */
export const projectsContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects',
    query: z.object(allProjectFilters),
    paginated: true,
    keyset: 'desc',
    response: { 200: z.array(Project) },
    auth: 'optional',
    docs: { summary: 'List the projects that the caller may see', tag },
  }),
  userProjects: endpoint({
    method: 'GET',
    path: '/users/:user_id/projects',
    query: z.object(userProjectFilters),
    paginated: true,
    keyset: 'desc',
    response: { 200: z.array(Project) },
    auth: 'optional',
    errors: ['not_found'],
    docs: { summary: 'List the projects in the personal namespace of a user', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id',
    query: z.object(optional({ statistics: boolean(), with_custom_attributes: boolean() })),
    response: { 200: Project },
    auth: { on: 'project', ability: 'read_project', anonymous: true },
    docs: { summary: 'Show a project', tag },
  }),
  users: endpoint({
    method: 'GET',
    path: '/projects/:id/users',
    query: z.object(optional({ search: text() })),
    paginated: true,
    response: { 200: z.array(UserRef) },
    auth: { on: 'project', ability: 'read_members' },
    docs: { summary: 'List the users who are members of a project, inherited ones too', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects',
    body: z.object({ ...projectSettings, ...projectCreateSettings }),
    response: { 201: Project },
    auth: {},
    errors: ['validation_failed', 'forbidden'],
    docs: {
      summary: 'Create a project',
      tag,
      description: 'At least one of `name` and `path` is needed.',
    },
  }),
  createForUser: endpoint({
    method: 'POST',
    path: '/projects/user/:user_id',
    params: z.object({ user_id: integer({ min: 1 }) }),
    body: z.object({ ...projectSettings, ...projectCreateSettings, name: filledText() }),
    response: { 201: Project },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['validation_failed', 'not_found'],
    docs: { summary: 'Create a project for another user', tag },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id',
    body: z.object({ ...projectSettings, ...projectEditSettings }),
    response: { 200: Project },
    auth: { on: 'project', ability: 'update_project' },
    errors: ['validation_failed'],
    docs: { summary: 'Edit a project', tag },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/projects/:id',
    response: { 202: Accepted },
    auth: { on: 'project', ability: 'delete_project' },
    errors: ['precondition_failed'],
    docs: { summary: 'Delete a project in the background', tag },
  }),
  star: endpoint({
    method: 'POST',
    path: '/projects/:id/star',
    response: { 201: Project },
    auth: { on: 'project', ability: 'star_project' },
    errors: ['not_modified'],
    docs: { summary: 'Star a project', tag },
  }),
  unstar: endpoint({
    method: 'POST',
    path: '/projects/:id/unstar',
    response: { 201: Project },
    auth: { on: 'project', ability: 'star_project' },
    errors: ['not_modified'],
    docs: { summary: 'Take the star from a project', tag },
  }),
  archive: endpoint({
    method: 'POST',
    path: '/projects/:id/archive',
    response: { 201: Project },
    auth: { on: 'project', ability: 'archive_project' },
    docs: { summary: 'Archive a project, which makes its contents read-only', tag },
  }),
  unarchive: endpoint({
    method: 'POST',
    path: '/projects/:id/unarchive',
    response: { 201: Project },
    auth: { on: 'project', ability: 'archive_project' },
    docs: { summary: 'Bring a project back from the archive', tag },
  }),
  share: endpoint({
    method: 'POST',
    path: '/projects/:id/share',
    body: z.object({
      group_id: integer({ min: 1 }),
      group_access: oneOfNumbers([10, 20, 30, 40]),
      expires_at: clearableDate().optional(),
    }),
    response: { 201: ProjectShare },
    auth: { on: 'project', ability: 'share_project' },
    errors: ['not_found', 'conflict', 'bad_request'],
    docs: { summary: 'Share a project with a group', tag },
  }),
  unshare: endpoint({
    method: 'DELETE',
    path: '/projects/:id/share/:group_id',
    params: z.object({ group_id: integer({ min: 1 }) }),
    response: { 204: null },
    auth: { on: 'project', ability: 'share_project' },
    errors: ['not_found'],
    docs: { summary: 'End the sharing of a project with a group', tag },
  }),
  transfer: endpoint({
    method: 'PUT',
    path: '/projects/:id/transfer',
    body: z.object({ namespace: filledText() }),
    response: { 200: Project },
    auth: { on: 'project', ability: 'transfer_project' },
    errors: ['not_found', 'bad_request'],
    docs: { summary: 'Move a project to another namespace', tag },
  }),
}
