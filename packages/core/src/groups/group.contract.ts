import { z } from 'zod'
import { visibilities } from '../access/level.ts'
import { endpoint } from '../contract/endpoint.ts'
import {
  boolean,
  file,
  filledText,
  integer,
  integerList,
  keysetFields,
  oneOf,
  optional,
  paid,
  text,
  textMap,
} from '../contract/fields.ts'
import { Project } from '../projects/project.schema.ts'
import { groupProjectFilters, sortDirections } from '../projects/project-filters.ts'
import { Group, GroupDetails } from './group.schema.ts'

const tag = 'Groups'
export const groupOrders = ['name', 'path', 'id'] as const
export type GroupOrder = (typeof groupOrders)[number]

const listQuery = z.object({
  ...keysetFields,
  ...optional({
    skip_groups: integerList(),
    all_available: boolean(),
    search: text(),
    order_by: oneOf(groupOrders),
    sort: oneOf(sortDirections),
    statistics: boolean(),
    with_custom_attributes: boolean(),
    owned: boolean(),
    min_access_level: integer({ min: 0, max: 50 }),
    custom_attributes: textMap(),
  }),
})

const limits = {
  shared_runners_minutes_limit: paid(integer({ min: 0, max: 2 ** 31 - 1 })),
  extra_shared_runners_minutes_limit: paid(integer({ min: 0, max: 2 ** 31 - 1 })),
}

const settings = optional({
  description: text(),
  visibility: oneOf(visibilities),
  lfs_enabled: boolean(),
  request_access_enabled: boolean(),
  share_with_group_lock: boolean(),
  avatar: file(),
  ...limits,
})

/** Groups (document 3, Groups; catalogue: groups). */
export const groupsContract = {
  list: endpoint({
    method: 'GET',
    path: '/groups',
    query: listQuery,
    paginated: true,
    keyset: 'asc',
    response: { 200: z.array(Group) },
    auth: 'optional',
    docs: { summary: 'List the groups that the caller may see', tag },
  }),
  subgroups: endpoint({
    method: 'GET',
    path: '/groups/:id/subgroups',
    query: listQuery,
    paginated: true,
    keyset: 'asc',
    response: { 200: z.array(Group) },
    auth: { on: 'group', ability: 'read_group', anonymous: true },
    docs: { summary: 'List the direct subgroups of a group', tag },
  }),
  projects: endpoint({
    method: 'GET',
    path: '/groups/:id/projects',
    query: z.object(groupProjectFilters),
    paginated: true,
    keyset: 'desc',
    response: { 200: z.array(Project) },
    auth: { on: 'group', ability: 'read_group', anonymous: true },
    docs: { summary: 'List the projects of a group', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/groups/:id',
    query: z.object(optional({ with_custom_attributes: boolean(), with_projects: boolean() })),
    response: { 200: GroupDetails },
    auth: { on: 'group', ability: 'read_group', anonymous: true },
    docs: { summary: 'Show a group', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/groups',
    body: z.object({
      name: filledText(),
      path: filledText(),
      parent_id: integer({ min: 1 }).optional(),
      ...settings,
    }),
    response: { 201: GroupDetails },
    auth: {},
    errors: ['bad_request', 'not_found', 'forbidden'],
    docs: { summary: 'Create a group or a subgroup', tag },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/groups/:id',
    body: z.object({
      ...settings,
      ...optional({
        name: text(),
        path: text(),
        membership_lock: paid(boolean()),
        file_template_project_id: paid(integer({ min: 1 }).nullable()),
      }),
    }),
    response: { 200: GroupDetails },
    auth: { on: 'group', ability: 'update_group' },
    errors: ['validation_failed'],
    docs: { summary: 'Edit a group', tag },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/groups/:id',
    response: { 202: z.object({ message: z.string() }) },
    auth: { on: 'group', ability: 'delete_group' },
    errors: ['precondition_failed'],
    docs: { summary: 'Delete a group with everything in it, in the background', tag },
  }),
  transferProject: endpoint({
    method: 'POST',
    path: '/groups/:id/projects/:project_id',
    response: { 201: GroupDetails },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['not_found', 'bad_request'],
    docs: { summary: 'Move a project into a group', tag },
  }),
}
