import { isUtf8 } from 'node:buffer'
import multipart from '@fastify/multipart'
import { DomainError, invalidParameter } from '@stithy/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { scan } from 'secure-json-parse'
import { parseQuery } from './nested-params.ts'

/**
 * Maximum size of a JSON or form body: fits a description of 1,000,000 characters, however escaped.
 */
export const bodyLimit = 8 * 1024 * 1024

/** Maximum size of a file in a multipart form: `max_attachment_size`, 10 MB. */
const fileLimit = 10 * 1024 * 1024

/** Few texts match; only their parsed values are searched for such keys. */
const suspicious = /__proto__|constructor|\\u00/

/** Registers parsers for the bodies that v4 clients send: JSON, forms and multipart forms. */
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
  // Clients without a body sometimes send a length or a type anyway.
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

/**
 * @throws DomainError for a compressed body, and for one that is not UTF-8 and would be altered.
 */
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

/** An empty body counts as absent: some clients declare JSON on every call. */
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

function reachesPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && scan(value, { safe: true }) === null
}
