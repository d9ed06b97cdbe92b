import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DomainError, notFound } from '@stithy/core'
import { maxObjectBytes, type Repository, readObject, streamBlob } from '@stithy/git'
import type { App } from '../app.ts'
import { type RepositoryPlace, repositoryOf } from '../repositories/repository.service.ts'
import type { BlobRef } from './blob-ref.ts'

/** Larger files are for the raw endpoint: JSON would have to hold them several times over. */
const maxEncodedBytes = 32 * 1024 * 1024

/** The bytes of a blob of at most `maxObjectBytes`. @throws DomainError `not_found`. */
export async function readSmall(app: App, repository: Repository, oid: string): Promise<Buffer> {
  const object = await readObject(app.git, repository, oid)
  if (object === undefined) throw notFound('File')
  return object.content
}

/** The bytes of a blob: small ones at once, large ones as a stream. */
export async function readContent(
  app: App,
  place: RepositoryPlace,
  { oid, size }: BlobRef,
): Promise<Buffer | Readable> {
  const repository = repositoryOf(app, place)
  if (size <= maxObjectBytes) return readSmall(app, repository, oid)
  return streamBlob(app.git, repository, oid)
}

/**
 * The bytes of a blob in base64.
 * @throws DomainError `payload_too_large` above 32 MiB.
 */
export async function readEncoded(
  app: App,
  place: RepositoryPlace,
  blob: BlobRef,
): Promise<string> {
  if (blob.size > maxEncodedBytes) {
    throw new DomainError('payload_too_large', {
      message: `The file has ${blob.size} bytes, which is too much for JSON; read it raw`,
    })
  }
  const content = await readContent(app, place, blob)
  if (Buffer.isBuffer(content)) return content.toString('base64')
  return (await buffer(content)).toString('base64')
}
