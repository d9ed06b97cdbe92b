import { createHash, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takeTurn } from '../threads/take-turn.ts'
import { LaterText } from './later-text.ts'
import type { JsonChunk } from './long-json.ts'
import { bodyOf } from './sent-body.ts'

/** A weak entity tag of a response (RFC 9110, 8.8.3). */
export function entityTag(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`
}

/** A strong entity tag: no other bytes have it. */
export function strongEntityTag(bytes: Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`
}

/**
 * The entity tag of a response in chunks, which others get their turn between. Texts that are read
 * later count by their lengths: what they belong to says when it was updated. Undefined where that
 * is not so.
 */
export async function entityTagOf(chunks: readonly JsonChunk[]): Promise<string | undefined> {
  const isUndated = (chunk: JsonChunk) => chunk instanceof LaterText && Number.isNaN(chunk.bytes)
  if (chunks.some(isUndated)) return undefined
  const digest = createHash('sha1')
  for (const chunk of chunks) {
    digest.update(chunk instanceof LaterText ? String(chunk.bytes) : chunk)
    await takeTurn()
  }
  return `W/"${digest.digest('base64url')}"`
}

/**
 * Whether the client has this version, by `If-None-Match` (RFC 9110, 13.1.2). The comparison is
 * weak: a proxy may have changed a strong tag to a weak one.
 */
export function isUnchanged({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const header = headers['if-none-match']
  if (header === undefined) return false
  const strong = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => {
    const candidate = tag.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === strong
  })
}

/**
 * Whether `If-Match` (RFC 9110, 13.1.1) allows what has this strong tag; so does a request without
 * it. The comparison is strong: a weak tag matches nothing.
 */
export function isMatched({ 'if-match': header }: IncomingHttpHeaders, etag: string): boolean {
  if (header === undefined) return true
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim()))
}

/** Sets the entity tag, and answers 304 if the client has this version. */
export function sendIfUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
): boolean {
  reply.header('etag', etag)
  if (!isUnchanged(request, etag)) return false
  reply.code(304).send(bodyOf(request))
  return true
}
