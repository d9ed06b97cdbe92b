import { type EndpointSpec, invalidParameter } from '@stithy/core'
import type { Params } from './nested-params.ts'

/** How a list is walked by id: the parameter that carries the last id of a page to the next. */
export interface Keyset {
  cursor: 'id_after' | 'id_before'
}

/**
 * Whether a page was asked for by keyset.
 * @throws DomainError `invalid_parameter` where the list or its order cannot do that: it is never ignored.
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
