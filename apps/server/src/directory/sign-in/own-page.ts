import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser says that one of our own pages made a request. Another site can't make it say so;
 * what isn't a browser says nothing of it.
 */
export function comesFromHere({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const from = headers.origin ?? headers.referer
  return from !== undefined && URL.parse(from)?.host === host
}
