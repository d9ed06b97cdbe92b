import { visibilities } from '../access/level.ts'
import {
  boolean,
  integer,
  keysetFields,
  oneOf,
  optional,
  text,
  textMap,
} from '../contract/fields.ts'

export const projectOrders = [
  'id',
  'name',
  'path',
  'created_at',
  'updated_at',
  'last_activity_at',
] as const
export type ProjectOrder = (typeof projectOrders)[number]

export const sortDirections = ['asc', 'desc'] as const
export type SortDirection = (typeof sortDirections)[number]

/** Query parameters that every list of projects takes (document 3, Projects). */
export const commonProjectFilters = {
  ...keysetFields,
  ...optional({
    archived: boolean(),
    visibility: oneOf(visibilities),
    order_by: oneOf(projectOrders),
    sort: oneOf(sortDirections),
    search: text(),
    simple: boolean(),
    owned: boolean(),
    starred: boolean(),
    with_custom_attributes: boolean(),
    with_issues_enabled: boolean(),
    with_merge_requests_enabled: boolean(),
    min_access_level: integer({ min: 0, max: 50 }),
    custom_attributes: textMap(),
  }),
}

/** The filters of user projects. */
export const userProjectFilters = {
  ...commonProjectFilters,
  ...optional({
    membership: boolean(),
    statistics: boolean(),
    with_programming_language: text(),
  }),
}

/** The filters of `GET /projects`. */
export const allProjectFilters = {
  ...userProjectFilters,
  ...optional({
    wiki_checksum_failed: boolean(),
    repository_checksum_failed: boolean(),
  }),
}

/** The filters of a group's projects (document 3, Groups). */
export const groupProjectFilters = {
  ...commonProjectFilters,
  ...optional({
    with_shared: boolean(),
    include_subgroups: boolean(),
  }),
}
