import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import { DomainError, type EndpointSpec, invalidParameter } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestLimitTable } from '../config/request-limits.ts'
import { addParam, emptyParams, type Params } from './nested-params.ts'

/** Where files are received, until the response, and what their endpoint takes. */
interface Reception {
  jsonFile: EndpointSpec['jsonFile']
  folder: string
  reply: FastifyReply
}

/**
 * Returns the parameters outside the path: the query and, taking precedence over it, the body.
 * Files are received into `folder`, and deleted after the response.
 */
export async function rawParams(request: FastifyRequest, to: Reception): Promise<Params> {
  const query = request.query as Params
  const body = await bodyParams(request, to)
  if (body === undefined || body === null) return query
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw invalidParameter('the body must be an object')
  }
  return Object.assign(emptyParams(), query, body)
}

async function bodyParams(request: FastifyRequest, to: Reception): Promise<unknown> {
  if (request.isMultipart()) return multipartParams(request, to)
  if (!(request.body instanceof Readable) || to.jsonFile === undefined) return request.body
  const { field, maxBytes } = to.jsonFile
  if (Number(request.headers['content-length']) > maxBytes) {
    throw new DomainError('payload_too_large')
  }
  const content = await openAsBlob(await receive(request.body, to, maxBytes))
  // As without a file, an empty body counts as absent.
  if (content.size === 0) return undefined
  return { [field]: new File([content], field, { type: 'application/json' }) }
}

async function multipartParams(request: FastifyRequest, to: Reception): Promise<Params> {
  const params = emptyParams()
  const { multipartBytes } = requestLimitTable.body
  const largest = to.jsonFile?.maxBytes
  const limits = largest === undefined ? {} : { limits: { fileSize: largest } }
  try {
    let size = 0
    for await (const part of request.parts(limits)) {
      const value = part.type === 'file' ? await receiveFile(part, to) : part.value
      if (value === undefined) continue
      size += sizeOf(value)
      if (size > (largest ?? 0) + multipartBytes.value) throw new DomainError('payload_too_large')
      // Some clients send empty parts without a name.
      if (part.fieldname) addParam(params, part.fieldname, value)
    }
  } catch (error) {
    throw multipartFailure(error)
  }
  return params
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return value instanceof File ? value.size : 0
}

/**
 * The file's content stays on disk: reading it reads from there. Undefined without a name and bytes, which
 * browsers send of a field that no file was chosen for (RFC 7578, 4.2).
 */
async function receiveFile(part: MultipartFile, to: Reception): Promise<File | undefined> {
  // The parser of the form cuts it off.
  const path = await receive(part.file, to, Number.POSITIVE_INFINITY)
  if (part.file.truncated) throw new DomainError('payload_too_large')
  const content = await openAsBlob(path)
  // Some programs send no name, which the types of the parser lack.
  const { filename }: { filename: string | undefined } = part
  if (!filename && content.size === 0) return undefined
  return new File([content], filename || 'file', { type: part.mimetype })
}

/** @throws DomainError `payload_too_large` */
async function receive(
  content: Readable,
  { folder, reply }: Reception,
  maxBytes: number,
): Promise<string> {
  const path = join(folder, randomUUID())
  reply.raw.once('close', () => void rm(path, { force: true }))
  await mkdir(folder, { recursive: true, mode: 0o750 })
  // Only now: until something listens to it, a request that is broken off is no error.
  await pipeline(content, limitedTo(maxBytes), createWriteStream(path, { mode: 0o640 }))
  return path
}

/** Passes at most `max` bytes on. @throws DomainError `payload_too_large` */
function limitedTo(max: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (size > max) done(new DomainError('payload_too_large'))
      else done(null, chunk)
    },
  })
}

function multipartFailure(error: unknown): unknown {
  if (error instanceof DomainError) return error
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return new DomainError('payload_too_large')
  const isOperational = error instanceof Error && 'syscall' in error
  return isOperational ? error : invalidParameter('the multipart body could not be read')
}
