import { isUtf8 } from 'node:buffer'
import multipart from '@fastify/multipart'
import { DomainError, invalidParameter } from '@stithy/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseQuery } from './nested-params.ts'

/** Largest JSON or form body: a description of 1,000,000 characters fits, however it is escaped. */
export const bodyLimit = 8 * 1024 * 1024

/** Largest file of a multipart form (document 1, Limits 4: `max_attachment_size`, megabytes). */
const fileLimit = 10 * 1024 * 1024

/** The few texts that could hold such a key, escaped or not; only they are walked. */
const suspicious = /__proto__|constructor|\\u00/

/** Teaches the server the bodies that v4 clients send: JSON, forms and multipart forms. */
export async function registerBodyParsers(server: FastifyInstance): Promise<void> {
  server.removeAllContentTypeParsers()
  const asBytes = { parseAs: 'buffer' } as const
  const parseJson = async (request: FastifyRequest, bytes: Buffer) =>
    readJson(readText(request, bytes))
  server.addContentTypeParser('application/json', asBytes, parseJson)
  server.addContentTypeParser(/^application\/[\w.-]+\+json(?:;|$)/, asBytes, parseJson)
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    asBytes,
    async (request: FastifyRequest, bytes: Buffer) => parseQuery(readText(request, bytes)),
  )
  // Clients without a body of theirs still send a length or a type at times.
  server.addContentTypeParser('*', asBytes, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return undefined
    const type = String(request.headers['content-type'] ?? '').slice(0, 100)
    throw new DomainError('unsupported_media_type', {
      message: `The provided content-type '${type}' is not supported.`,
    })
  })
  await server.register(multipart, {
    limits: { fileSize: fileLimit, files: 10, fields: 1000, fieldSize: bodyLimit, parts: 1000 },
  })
}

/** @throws DomainError where the body is compressed, or is not UTF-8 and would change on its way in. */
function readText({ headers }: FastifyRequest, bytes: Buffer): string {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', {
      message: `The provided content-encoding '${encoding.slice(0, 100)}' is not supported.`,
    })
  }
  if (!isUtf8(bytes)) throw invalidParameter('the body is not valid UTF-8')
  return bytes.toString()
}

/** An empty body is none: some clients declare JSON on every call. */
function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidParameter('the body is not valid JSON')
  }
  if (suspicious.test(text) && reachesPrototype(value)) {
    throw invalidParameter('the body has a key that is not allowed')
  }
  return value
}

function reachesPrototype(root: unknown): boolean {
  const pending = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) return true
    if (Object.hasOwn(value, 'constructor') && holdsPrototype(value.constructor)) return true
    pending.push(...Object.values(value))
  }
  return false
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}
