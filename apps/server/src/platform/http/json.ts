import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { LaterText } from './later-text.ts'
import { type JsonChunk, readChunks } from './long-json.ts'

function asIs(payload: string): string {
  return payload
}

/** Seconds since the request began. */
export function runtimeOf(reply: FastifyReply): string {
  return (reply.elapsedTime / 1000).toFixed(6)
}

/**
 * Sends a text that is JSON already. The content type is exactly `application/json`: some clients
 * compare the whole value, and Fastify adds a charset unless a serializer is set.
 */
export function sendJsonText(
  reply: FastifyReply,
  text: string,
  mediaType = 'application/json',
): FastifyReply {
  return reply
    .header('content-type', mediaType)
    .header('x-runtime', runtimeOf(reply))
    .serializer(asIs)
    .send(text)
}

/** Sends chunks that are JSON together; their length is known unless some are read later. */
export function sendJsonChunks(reply: FastifyReply, chunks: readonly JsonChunk[]): FastifyReply {
  const length = chunks.reduce(
    (sum, chunk) => sum + (chunk instanceof LaterText ? Number.NaN : chunk.length),
    0,
  )
  if (!Number.isNaN(length)) reply.header('content-length', length)
  return reply
    .header('content-type', 'application/json')
    .header('x-runtime', runtimeOf(reply))
    .send(Readable.from(readChunks(chunks), { objectMode: false }))
}
