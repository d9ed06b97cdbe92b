import { z } from 'zod'
import { visibilities } from '../../platform/access/level.ts'
import { clearableDate } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  file,
  integer,
  keysetFields,
  nonEmptyText,
  oneOf,
  oneOfNumbers,
  optional,
  paid,
  text,
  textMap,
} from '../../platform/contract/fields.ts'
import { integerList } from '../../platform/contract/list-fields.ts'
import { pathText, shortText } from '../../platform/contract/text-options.ts'
import { namespaceNameText } from '../namespaces/path.rules.ts'
import { Project } from '../projects/project.schema.ts'
import { groupProjectFilters, sortDirections } from '../projects/project-filters.ts'
import { Group, GroupDetails } from './group.schema.ts'

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

/** A hundred years. */
const maxTwoFactorGraceHours = 876_000

const limits = {
  shared_runners_minutes_limit: paid(integer({ min: 0, max: 2 ** 31 - 1 })),
  extra_shared_runners_minutes_limit: paid(integer({ min: 0, max: 2 ** 31 - 1 })),
}

const settings = optional({
  description: text(shortText),
  visibility: oneOf(visibilities),
  lfs_enabled: boolean(),
  request_access_enabled: boolean(),
  share_with_group_lock: boolean(),
  require_two_factor_authentication: boolean(),
  two_factor_grace_period: integer({ min: 0, max: maxTwoFactorGraceHours }),
  avatar: file(),
  ...limits,
})

/** Groups. */
export const groupsContract = {
  list: endpoint({
    name: 'groups.list',
    method: 'GET',
    path: '/groups',
    query: listQuery,
    paginated: true,
    keyset: 'asc',
    response: { 200: z.array(Group) },
    auth: 'optional',
    docs: { summary: 'List groups', description: 'Only groups that the caller can see.' },
  }),
  subgroups: endpoint({
    name: 'groups.subgroups',
    method: 'GET',
    path: '/groups/:id/subgroups',
    query: listQuery,
    paginated: true,
    keyset: 'asc',
    response: { 200: z.array(Group) },
    auth: { on: 'group', ability: 'read_group', anonymous: true },
    docs: { summary: 'List subgroups of a group', description: 'Direct subgroups only.' },
  }),
  projects: endpoint({
    name: 'projects.list',
    method: 'GET',
    path: '/groups/:id/projects',
    query: z.object(groupProjectFilters),
    paginated: true,
    keyset: 'desc',
    response: { 200: z.array(Project) },
    auth: { on: 'group', ability: 'read_group', anonymous: true },
    docs: { summary: 'List projects of a group' },
  }),
  show: endpoint({
    name: 'groups.show',
    method: 'GET',
    path: '/groups/:id',
    query: z.object(optional({ with_custom_attributes: boolean(), with_projects: boolean() })),
    response: { 200: GroupDetails },
    auth: { on: 'group', ability: 'read_group', anonymous: true },
    docs: { summary: 'Show a group' },
  }),
  create: endpoint({
    name: 'groups.create',
    method: 'POST',
    path: '/groups',
    body: z.object({
      name: nonEmptyText(namespaceNameText),
      path: nonEmptyText(pathText),
      parent_id: integer({ min: 1 }).optional(),
      ...settings,
    }),
    response: { 201: GroupDetails },
    auth: { on: 'instance', ability: 'create_group_or_subgroup' },
    errors: ['bad_request', 'not_found', 'forbidden'],
    docs: { summary: 'Create a group or subgroup' },
  }),
  update: endpoint({
    name: 'groups.update',
    method: 'PUT',
    path: '/groups/:id',
    body: z.object({
      ...settings,
      ...optional({
        name: text(namespaceNameText),
        path: text(pathText),
        membership_lock: paid(boolean()),
        file_template_project_id: paid(integer({ min: 1 }).nullable()),
      }),
    }),
    response: { 200: GroupDetails },
    auth: { on: 'group', ability: 'update_group' },
    errors: ['validation_failed'],
    docs: { summary: 'Update a group' },
  }),
  delete: endpoint({
    name: 'groups.delete',
    method: 'DELETE',
    path: '/groups/:id',
    response: { 202: z.object({ message: z.string() }) },
    auth: { on: 'group', ability: 'delete_group' },
    errors: ['precondition_failed'],
    docs: {
      summary: 'Delete a group',
      description: 'In the background, with its subgroups and projects.',
    },
  }),
  share: endpoint({
    name: 'groups.share',
    method: 'POST',
    path: '/groups/:id/share',
    body: z.object({
      group_id: integer({ min: 1 }),
      group_access: oneOfNumbers([10, 20, 30, 40, 50]),
      expires_at: clearableDate().optional(),
    }),
    response: { 201: GroupDetails },
    auth: { on: 'group', ability: 'share_group' },
    errors: ['not_found', 'conflict', 'bad_request'],
    docs: {
      summary: 'Share a group with another group',
      description:
        'Members of the other group get access to the group, its subgroups and projects.',
    },
  }),
  unshare: endpoint({
    name: 'groups.unshare',
    method: 'DELETE',
    path: '/groups/:id/share/:shared_with_group_id',
    params: z.object({ shared_with_group_id: integer({ min: 1 }) }),
    response: { 204: null },
    auth: { on: 'group', ability: 'share_group' },
    errors: ['not_found'],
    docs: { summary: 'Delete the share of a group with another group' },
  }),
  transferProject: endpoint({
    name: 'groups.transferProject',
    method: 'POST',
    path: '/groups/:id/projects/:project_id',
    response: { 201: GroupDetails },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['not_found', 'bad_request'],
    docs: { summary: 'Transfer a project to a group' },
  }),
}
