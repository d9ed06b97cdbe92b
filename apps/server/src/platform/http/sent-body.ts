import { Readable } from 'node:stream'

/**
 * What Fastify sends: for a HEAD without a body it would set the length 0, which is neither that of a
 * GET nor what a 304 may carry (RFC 9110, 8.6).
 */
export function bodyOf<Body>({ method }: { method: string }, body?: Body | null) {
  return body ?? (method === 'HEAD' ? Readable.from([]) : undefined)
}
