import { z } from 'zod'
import { clearableDate } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  integer,
  nonEmptyText,
  oneOfNumbers,
  optional,
  text,
} from '../../platform/contract/fields.ts'
import { fullPathText } from '../../platform/contract/text-options.ts'
import { namespaceNameText } from '../namespaces/path.rules.ts'
import { UserRef } from '../users/user.schema.ts'
import { Project, ProjectShare } from './project.schema.ts'
import { allProjectFilters, userProjectFilters } from './project-filters.ts'
import {
  projectCreateSettings,
  projectEditSettings,
  projectSettings,
} from './project-settings.schema.ts'

const Accepted = z.object({ message: z.string() })

const edits = { ...projectSettings, ...projectEditSettings }

/** Projects. */
export const projectsContract = {
  list: endpoint({
    name: 'projects.list',
    method: 'GET',
    path: '/projects',
    query: z.object(allProjectFilters),
    paginated: true,
    keyset: 'desc',
    response: { 200: z.array(Project) },
    auth: 'optional',
    docs: {
      summary: 'List projects',
      description:
        'Only projects that the caller can see. `ids`, an extension, names those to list, such as ' +
        'the projects of events or search results.',
    },
  }),
  userProjects: endpoint({
    name: 'projects.list',
    method: 'GET',
    path: '/users/:user_id/projects',
    query: z.object(userProjectFilters),
    paginated: true,
    keyset: 'desc',
    response: { 200: z.array(Project) },
    auth: { anonymous: true, scope: ['api', 'read_user'] },
    errors: ['not_found'],
    docs: {
      summary: 'List projects of a user',
      description: 'Those in the personal namespace of the user.',
    },
  }),
  show: endpoint({
    name: 'projects.show',
    method: 'GET',
    path: '/projects/:id',
    query: z.object(optional({ statistics: boolean(), with_custom_attributes: boolean() })),
    response: { 200: Project },
    auth: { on: 'project', ability: 'read_project', anonymous: true },
    docs: { summary: 'Show a project' },
  }),
  users: endpoint({
    name: 'users.list',
    method: 'GET',
    path: '/projects/:id/users',
    query: z.object(optional({ search: text() })),
    paginated: true,
    response: { 200: z.array(UserRef) },
    auth: { on: 'project', ability: 'read_members' },
    docs: {
      summary: 'List users of a project',
      description: 'Its members, including inherited ones.',
    },
  }),
  create: endpoint({
    name: 'projects.create',
    method: 'POST',
    path: '/projects',
    body: z.object({ ...projectSettings, ...projectCreateSettings }),
    constraints: [{ atLeastOneOf: ['name', 'path'] }],
    response: { 201: Project },
    auth: { on: 'instance', ability: 'create_project' },
    errors: ['validation_failed', 'forbidden'],
    docs: {
      summary: 'Create a project',
      description: 'The name defaults to the path, and the path is derived from the name.',
    },
  }),
  createForUser: endpoint({
    name: 'projects.create',
    method: 'POST',
    path: '/projects/user/:user_id',
    params: z.object({ user_id: integer({ min: 1 }) }),
    body: z.object({
      ...projectSettings,
      ...projectCreateSettings,
      name: nonEmptyText(namespaceNameText),
    }),
    response: { 201: Project },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['validation_failed', 'not_found'],
    docs: { summary: 'Create a project for a user' },
  }),
  update: endpoint({
    name: 'projects.update',
    method: 'PUT',
    path: '/projects/:id',
    body: z.object(edits),
    constraints: [{ atLeastOneOf: Object.keys(edits) }],
    response: { 200: Project },
    auth: { on: 'project', ability: 'update_project' },
    errors: ['validation_failed'],
    docs: { summary: 'Update a project' },
  }),
  delete: endpoint({
    name: 'projects.delete',
    method: 'DELETE',
    path: '/projects/:id',
    response: { 202: Accepted },
    auth: { on: 'project', ability: 'delete_project' },
    errors: ['precondition_failed'],
    docs: { summary: 'Delete a project', description: 'In the background.' },
  }),
  star: endpoint({
    name: 'projects.star',
    method: 'POST',
    path: '/projects/:id/star',
    response: { 201: Project },
    auth: { on: 'project', ability: 'star_project' },
    errors: ['not_modified'],
    docs: { summary: 'Star a project' },
  }),
  unstar: endpoint({
    name: 'projects.unstar',
    method: 'POST',
    path: '/projects/:id/unstar',
    response: { 201: Project },
    auth: { on: 'project', ability: 'star_project' },
    errors: ['not_modified'],
    docs: { summary: 'Unstar a project' },
  }),
  archive: endpoint({
    name: 'projects.archive',
    method: 'POST',
    path: '/projects/:id/archive',
    response: { 201: Project },
    auth: { on: 'project', ability: 'archive_project' },
    docs: { summary: 'Archive a project', description: 'Its content is read-only from then on.' },
  }),
  unarchive: endpoint({
    name: 'projects.unarchive',
    method: 'POST',
    path: '/projects/:id/unarchive',
    response: { 201: Project },
    auth: { on: 'project', ability: 'archive_project' },
    docs: { summary: 'Unarchive a project' },
  }),
  share: endpoint({
    name: 'projects.share',
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
    docs: { summary: 'Share a project with a group' },
  }),
  unshare: endpoint({
    name: 'projects.unshare',
    method: 'DELETE',
    path: '/projects/:id/share/:group_id',
    params: z.object({ group_id: integer({ min: 1 }) }),
    response: { 204: null },
    auth: { on: 'project', ability: 'share_project' },
    errors: ['not_found'],
    docs: { summary: 'Delete the share of a project with a group' },
  }),
  transfer: endpoint({
    name: 'projects.transfer',
    method: 'PUT',
    path: '/projects/:id/transfer',
    body: z.object({ namespace: nonEmptyText(fullPathText) }),
    response: { 200: Project },
    auth: { on: 'project', ability: 'transfer_project' },
    errors: ['not_found', 'bad_request'],
    docs: { summary: 'Transfer a project to another namespace' },
  }),
}
