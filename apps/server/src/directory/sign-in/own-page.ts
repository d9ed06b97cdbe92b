import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser may be on its way to a page, by a link of ours or an address that was typed. What a page
 * embeds, such as the picture of a comment, is not, nor is what another site leads to. Browsers say so
 * over HTTPS and to their own machine; over HTTP, a picture is known by what it accepts.
 */
export function isVisit({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-site': site, accept = '' } = headers
  if (destination !== undefined) return destination === 'document' && site !== 'cross-site'
  return accept.includes('text/html') || !accept.includes('image/')
}

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
