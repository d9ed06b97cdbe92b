import { Readable } from 'node:stream'

/**
 * What Fastify sends: for a HEAD without a body it would set the length 0, which is neither that of a
 * GET nor what a 304 may carry (RFC 9110, 8.6). Of a HEAD, Node.js sends no body; what would be read
 * for it is not.
 */
export function bodyOf<Body>({ method }: { method: string }, body?: Body | null) {
  if (method !== 'HEAD') return body ?? undefined
  if (body instanceof Readable) body.on('error', () => {}).destroy()
  return body instanceof Readable || body == null ? Readable.from([]) : body
}
