import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DomainError, notFound } from '@stithy/core'
import { maxObjectBytes, type Repository, readObject, streamBlob } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import type { Caller, Content } from '../../platform/http/call.ts'
import { partOf } from '../../platform/http/content.ts'
import { inClientSlot } from '../../platform/http/output-slots.ts'
import {
  type RepositoryLocation,
  repositoryOf,
} from '../../platform/repositories/repository-location.ts'
import type { BlobRef } from './blob-ref.ts'

/** Reads a blob of at most `maxObjectBytes`. @throws DomainError `not_found`. */
export async function readSmall(app: App, repository: Repository, oid: string): Promise<Buffer> {
  const object = await readObject(app.git, repository, oid)
  if (object === undefined) throw notFound('File')
  return object.content
}

/** Reads a blob: a small one as a buffer, a large one as a stream. */
export async function readContent(
  app: App,
  project: RepositoryLocation,
  { oid, size }: BlobRef,
): Promise<Buffer | Readable> {
  const repository = repositoryOf(app, project)
  if (size <= maxObjectBytes) return readSmall(app, repository, oid)
  return streamBlob(app.git, repository, oid)
}

/** Who reads a blob. */
export interface BlobReader {
  app: App
  subject: { row: { id: number } }
  caller: Pick<Caller, 'user'>
  signal: () => AbortSignal
  repository: Repository
}

/** The bytes of a blob, which its id is the entity tag of. A large one takes a slot of archives. */
export function blobContent(
  { app, subject, caller, signal, repository }: BlobReader,
  { oid, size }: BlobRef,
  describe: Content['describe'],
): Content {
  const { stallMs } = app.config.codeLimits.archive
  return {
    etag: `"${oid}"`,
    size,
    describe,
    open: async (range) => {
      if (size > maxObjectBytes) {
        return inClientSlot(app, { project: subject.row, caller }, signal(), async () =>
          streamBlob(app.git, repository, oid, { range, stallMs }),
        )
      }
      return partOf(await readSmall(app, repository, oid), range)
    },
  }
}

/**
 * Reads a blob in base64. Larger ones are left to the raw endpoint: JSON would hold them in memory
 * several times, and block all other requests while it is written.
 * @throws DomainError `payload_too_large` above the limit.
 */
export async function readEncoded(
  app: App,
  project: RepositoryLocation,
  blob: BlobRef,
): Promise<string> {
  if (blob.size > app.config.codeLimits.file.maxEncodedBytes) {
    throw new DomainError('payload_too_large', {
      message: `The file has ${blob.size} bytes, which is too large for JSON; use the raw endpoint`,
    })
  }
  const content = await readContent(app, project, blob)
  if (Buffer.isBuffer(content)) return content.toString('base64')
  return (await buffer(content)).toString('base64')
}
