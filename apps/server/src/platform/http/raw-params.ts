import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import { DomainError, invalidParameter } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestLimitTable } from '../config/request-limits.ts'
import { addParam, emptyParams, type Params } from './nested-params.ts'

/**
 * Returns the parameters outside the path: the query and, taking precedence over it, the body.
 * Files are received into `folder`, and deleted after the response.
 */
export async function rawParams(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
): Promise<Params> {
  const query = request.query as Params
  const body = request.isMultipart() ? await multipartParams(request, reply, folder) : request.body
  if (body === undefined || body === null) return query
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw invalidParameter('the body must be an object')
  }
  return Object.assign(emptyParams(), query, body)
}

async function multipartParams(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
): Promise<Params> {
  const params = emptyParams()
  try {
    let size = 0
    for await (const part of request.parts()) {
      const value = part.type === 'file' ? await receiveFile(part, reply, folder) : part.value
      size += sizeOf(value)
      if (size > requestLimitTable.body.multipartBytes.value)
        throw new DomainError('payload_too_large')
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

/** The file's content stays on disk: reading it reads from there. */
async function receiveFile(
  part: MultipartFile,
  reply: FastifyReply,
  folder: string,
): Promise<File> {
  const path = join(folder, randomUUID())
  reply.raw.once('close', () => void rm(path, { force: true }))
  await mkdir(folder, { recursive: true, mode: 0o750 })
  await pipeline(part.file, createWriteStream(path, { mode: 0o640 }))
  if (part.file.truncated) throw new DomainError('payload_too_large')
  return new File([await openAsBlob(path)], part.filename, { type: part.mimetype })
}

function multipartFailure(error: unknown): unknown {
  if (error instanceof DomainError) return error
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return new DomainError('payload_too_large')
  const isOperational = error instanceof Error && 'syscall' in error
  return isOperational ? error : invalidParameter('the multipart body could not be read')
}
