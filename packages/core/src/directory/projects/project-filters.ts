import { visibilities } from '../../platform/access/level.ts'
import {
  boolean,
  integer,
  keysetFields,
  oneOf,
  optional,
  text,
  textMap,
} from '../../platform/contract/fields.ts'
import { integerList } from '../../platform/contract/list-fields.ts'

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

/** Query parameters of every list of projects. */
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

/** Filters of `GET /projects/:id/forks`. */
export const forkFilters = {
  ...commonProjectFilters,
  ...optional({
    membership: boolean(),
    statistics: boolean(),
  }),
}

/** Filters of `GET /users/:user_id/projects`. */
export const userProjectFilters = {
  ...forkFilters,
  ...optional({
    with_programming_language: text(),
  }),
}

/** Filters of `GET /projects`. */
export const allProjectFilters = {
  ...userProjectFilters,
  ...optional({
    /** An extension: these alone. */
    ids: integerList(),
    wiki_checksum_failed: boolean(),
    repository_checksum_failed: boolean(),
  }),
}

/** Filters of `GET /groups/:id/projects`. */
export const groupProjectFilters = {
  ...commonProjectFilters,
  ...optional({
    with_shared: boolean(),
    include_subgroups: boolean(),
  }),
}
