import { isUtf8 } from 'node:buffer'
import multipart from '@fastify/multipart'
import { DomainError, invalidParameter } from '@stithy/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { scan } from 'secure-json-parse'
import { requestLimitTable } from '../config/request-limits.ts'
import { parseQuery } from './nested-params.ts'

const { body } = requestLimitTable

/** Maximum size of a JSON or form body, in bytes. */
export const bodyLimit = body.bytes.value

/** Few texts match; only their parsed values are searched for such keys. */
const suspicious = /__proto__|constructor|\\u00/

/** Registers parsers for the bodies that v4 clients send: JSON, forms and multipart forms. */
export async function registerBodyParsers(server: FastifyInstance): Promise<void> {
  server.removeAllContentTypeParsers()
  const asBytes = { parseAs: 'buffer' } as const
  const parseJson = async (request: FastifyRequest, bytes: Buffer) => {
    const text = readText(request, bytes)
    if (isTooComplex(bytes)) throw invalidParameter('the body has too many values')
    return readJson(text)
  }
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
    limits: {
      fileSize: body.fileBytes.value,
      files: 10,
      fields: body.parts.value,
      fieldSize: bodyLimit,
      parts: body.parts.value,
    },
  })
}

/**
 * Decodes a body.
 * @throws DomainError for a compressed body, and for one that is not UTF-8 and would be altered.
 */
export function readText(request: FastifyRequest, bytes: Buffer): string {
  requireIdentity(request)
  if (!isUtf8(bytes)) throw invalidParameter('the body is not valid UTF-8')
  return bytes.toString()
}

/** @throws DomainError for a compressed body */
export function requireIdentity({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  throw new DomainError('unsupported_media_type', {
    message: `The provided content-encoding '${encoding.slice(0, 100)}' is not supported.`,
  })
}

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')]
const opening = new Set([code('['), code('{')])
const closing = new Set([code(']'), code('}')])

/**
 * Whether a JSON text has so many values, or nests so deeply, that parsing it would block the server:
 * a million lists in each other take a third of a second. Keys that differ cost twenty times as much as
 * elements, and three times that in the body itself, which is put together with the query: 200,000 of them
 * take half a second.
 */
function isTooComplex(bytes: Buffer): boolean {
  const [maxValues, maxKeys] = [body.values.value, body.keys.value]
  const [maxParameters, maxDepth] = [body.parameters.value, body.depth.value]
  let [values, keys, parameters, depth] = [0, 0, 0, 0]
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte === quote) index = endOfString(bytes, index)
    else if (byte === comma) values += 1
    else if (opening.has(byte)) depth += 1
    else if (closing.has(byte)) depth -= 1
    else if (byte === colon) {
      keys += 1
      if (depth === 1) parameters += 1
    }
    if (values > maxValues || keys > maxKeys) return true
    if (parameters > maxParameters || depth > maxDepth) return true
  }
  return false
}

/** The index of the closing quote; of the last byte without one. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let first = end
    while (bytes[first - 1] === backslash) first -= 1
    if ((end - first) % 2 === 0) return end
  }
  return bytes.length - 1
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
