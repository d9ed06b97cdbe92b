import { hash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The headers of every response. */
export function setCommonHeaders(reply: FastifyReply): void {
  reply
    .header('X-Request-Id', randomUUID())
    .header('X-Frame-Options', 'SAMEORIGIN')
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', 'private, no-cache')
    .header('Vary', 'Origin, Private-Token, Authorization, Cookie')
    .header('X-Runtime', (reply.elapsedTime / 1000).toFixed(6))
}

/** Sends a JSON response with its entity tag. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const text = JSON.stringify(body)
  const etag = `W/"${hash('sha1', text, 'base64url')}"`
  setCommonHeaders(reply)
  reply.header('content-type', 'application/json').header('etag', etag)
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  // A custom serializer keeps fastify from adding a charset to the content type.
  return reply.serializer(asItIs).send(text)
}

function asItIs(text: unknown): string {
  return String(text)
}

export interface Paging {
  page: number
  perPage: number
}

/** The page that a query requests. */
export function readPaging(query: unknown): Paging {
  const { page = '1', per_page: perPage = '20' } = query as { page?: string; per_page?: string }
  return { page: Number(page), perPage: Math.min(Number(perPage), 100) }
}

/** The fields of a file as headers, in both spellings. */
export function setFileHeaders(
  reply: FastifyReply,
  fields: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const header = name.replaceAll('_', '-')
    reply.header(`x-gitlab-${header}`, String(value)).header(`x-stithy-${header}`, String(value))
  }
}

/** The headers of a page, with links to the adjacent pages. */
export function setPageHeaders(
  reply: FastifyReply,
  url: string,
  { page, perPage }: Paging,
  total: number,
  query = '',
): void {
  const last = Math.max(1, Math.ceil(total / perPage))
  const next = page < last ? String(page + 1) : ''
  const previous = page > 1 ? String(Math.min(page - 1, last)) : ''
  const link = (target: string | number, rel: string) =>
    `<${url}?${query}page=${target}&per_page=${perPage}>; rel="${rel}"`
  const links = [link(1, 'first'), link(last, 'last')]
  if (next !== '') links.unshift(link(next, 'next'))
  if (previous !== '') links.unshift(link(previous, 'prev'))
  reply
    .header('X-Page', String(page))
    .header('X-Per-Page', String(perPage))
    .header('X-Next-Page', next)
    .header('X-Prev-Page', previous)
    .header('X-Total', String(total))
    .header('X-Total-Pages', String(last))
    .header('Link', links.join(', '))
}
