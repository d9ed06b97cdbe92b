import {
  type CallerFacts,
  forbidden,
  invalidParameter,
  type QueryOf,
  type usersContract,
} from '@stithy/core'
import type { UserFilter } from '@stithy/store'
import { identityOf } from './user-values.ts'

type ListQuery = QueryOf<typeof usersContract.list>

const orderColumns = {
  id: 'id',
  name: 'nameLower',
  username: 'usernameLower',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const

/** Maximum number of attributes in a filter; each adds another query text. */
const maxAttributes = 10

/**
 * Builds the filter of `GET /users`. Ordering and administrator filters are ignored for other
 * callers; filtering by external users or identities is rejected.
 * @throws DomainError `forbidden`, `invalid_parameter`.
 */
export function userFilter(caller: CallerFacts, query: ListQuery): UserFilter {
  const { search, username, active, blocked } = query
  const common = {
    search: search || undefined,
    username: username || undefined,
    active: active === true,
    blocked: blocked === true,
  }
  if (caller.admin) return { ...common, partsOfEmail: true, ...adminFilter(query) }
  if (query.external === true || (query.extern_uid && query.provider)) throw forbidden()
  return common
}

function adminFilter(query: ListQuery): UserFilter {
  const { custom_attributes: attributes } = query
  if (attributes !== undefined && Object.keys(attributes).length > maxAttributes) {
    throw invalidParameter('custom_attributes is invalid')
  }
  return {
    external: query.external === true,
    twoFactor: query.two_factor,
    identity: identityOf(query),
    createdBefore: query.created_before,
    createdAfter: query.created_after,
    attributes,
    orderBy: orderColumns[query.order_by ?? 'id'],
    direction: query.sort ?? 'desc',
  }
}
