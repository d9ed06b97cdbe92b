import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ByteRange, requestedRange } from './byte-range.ts'
import type { Content, RawResponse } from './call.ts'
import { isMatched, isUnchanged } from './entity-tag.ts'
import { bodyOf } from './sent-body.ts'

interface Request {
  method: string
  headers: IncomingHttpHeaders
}

/**
 * Answers a read of bytes as its conditions ask for (RFC 9110, 13.2.2): with all of them, with a
 * range, or with none where the entity tag alone says so. A HEAD opens nothing.
 * @throws DomainError `precondition_failed`, `range_not_satisfiable`
 */
export async function answerContent(
  { method, headers }: Request,
  { etag, size, describe, open }: Content,
): Promise<RawResponse> {
  if (!isMatched(headers, etag)) throw new DomainError('precondition_failed')
  if (isUnchanged({ headers }, etag)) return { status: 304, headers: { etag }, body: null }
  // Any other method ignores it (RFC 9110, 14.2).
  const range = method === 'GET' ? requestedRange(headers, etag, size) : undefined
  if (range === 'unsatisfiable') throw new DomainError('range_not_satisfiable', { size })
  const sent = { ...(await describe()), etag, 'accept-ranges': 'bytes' }
  const body = method === 'HEAD' ? null : await open(range)
  if (range === undefined) {
    return { headers: { ...sent, 'content-length': String(size) }, body }
  }
  const { start, end } = range
  const part = {
    'content-range': `bytes ${start}-${end}/${size}`,
    'content-length': String(end - start + 1),
  }
  return { status: 206, headers: { ...sent, ...part }, body }
}

/** Sends bytes by a route that is no endpoint of a contract. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<FastifyReply> {
  const { status = 200, headers, body } = await answerContent(request, content)
  return reply.code(status).headers(headers).send(bodyOf(request, body))
}

/** A part of bytes in memory, which it shares with them. */
export function partOf(bytes: Buffer, range: ByteRange | undefined): Buffer {
  return range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
}
