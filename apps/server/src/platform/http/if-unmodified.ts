import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '@stithy/core'

/**
 * Checks `If-Unmodified-Since` on a DELETE. HTTP dates have no milliseconds, so a change within the
 * same second does not count.
 * @throws DomainError `precondition_failed`
 */
export function requireUnmodified(headers: IncomingHttpHeaders, updatedAt: number): void {
  const header = headers['if-unmodified-since']
  if (header === undefined) return
  const since = Date.parse(header)
  if (Number.isNaN(since) || Math.floor(updatedAt / 1000) * 1000 <= since) return
  throw new DomainError('precondition_failed')
}
