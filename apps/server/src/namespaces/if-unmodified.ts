import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '@stithy/core'

/**
 * Holds a DELETE to `If-Unmodified-Since` (catalogue: projects, the table of errors). HTTP dates have
 * no milliseconds, so a change within the named second is none. @throws DomainError `precondition_failed`
 */
export function requireUnmodified(headers: IncomingHttpHeaders, updatedAt: number): void {
  const header = headers['if-unmodified-since']
  if (header === undefined) return
  const since = Date.parse(header)
  if (Number.isNaN(since) || Math.floor(updatedAt / 1000) * 1000 <= since) return
  throw new DomainError('precondition_failed')
}
