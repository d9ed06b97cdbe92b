import { type EndpointSpec, invalidParameter } from '@stithy/core'
import type { Params } from './nested-params.ts'

/** Keyset pagination of a list: the parameter that passes the last id of a page to the next. */
export interface Keyset {
  cursor: 'id_after' | 'id_before'
}

/**
 * Reads `pagination=keyset`; undefined when it was not requested.
 * @throws DomainError `invalid_parameter` when the list or its order does not support it: it is
 *   never ignored.
 */
export function readKeyset(endpoint: EndpointSpec, raw: Params): Keyset | undefined {
  if (raw.pagination !== 'keyset') return undefined
  if (endpoint.keyset === undefined) {
    throw invalidParameter('pagination=keyset is not available for this list')
  }
  if (raw.order_by !== 'id') {
    throw invalidParameter('pagination=keyset works with order_by=id only')
  }
  const direction = raw.sort === 'asc' || raw.sort === 'desc' ? raw.sort : endpoint.keyset
  return { cursor: direction === 'asc' ? 'id_after' : 'id_before' }
}
