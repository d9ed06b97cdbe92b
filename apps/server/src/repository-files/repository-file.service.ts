import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DomainError, normalizePath, notFound } from '@stithy/core'
import {
  findEntry,
  lastCommitFor,
  maxObjectBytes,
  objectInfo,
  type Repository,
  readObject,
  streamBlob,
} from '@stithy/git'
import type { App } from '../app.ts'
import { type CodePlace, repositoryOf, resolveRef } from '../repositories/repository.service.ts'
import { digestLargeBlob, digestOf } from './file-digest.ts'
import type { FileDigest, FoundFile } from './found-file.ts'

/** Larger files are for the raw endpoint: JSON would have to hold them several times over. */
const maxEncodedBytes = 32 * 1024 * 1024

/**
 * The file at a path of a branch, tag or commit; without one, of the default branch.
 * @throws DomainError `not_found` for an unknown ref (`Commit`) or path (`File`).
 */
export async function requireFile(
  app: App,
  place: CodePlace,
  filePath: string,
  ref: string | undefined,
): Promise<FoundFile> {
  const repository = repositoryOf(app, place)
  const commitId = await resolveRef(app, place, ref)
  if (commitId === undefined) throw notFound('Commit')
  const path = normalizePath(filePath)
  const entry = path && (await findEntry(app.git, repository, commitId, path))
  if (!path || !entry || entry.type !== 'blob') throw notFound('File')
  const info = await objectInfo(app.git, repository, entry.oid)
  const last = await lastCommitFor(app.git, repository, commitId, path)
  if (info === undefined) throw notFound('File')
  return {
    path,
    size: info.size,
    ref: ref || (place.defaultBranch ?? ''),
    blobId: entry.oid,
    commitId,
    lastCommitId: last?.oid ?? commitId,
    ...(await digest(app, repository, entry.oid, info.size)),
  }
}

async function digest(
  app: App,
  repository: Repository,
  oid: string,
  size: number,
): Promise<FileDigest> {
  if (size > maxObjectBytes) return digestLargeBlob(app, repository, oid)
  return digestOf(oid, await smallContent(app, repository, oid))
}

async function smallContent(app: App, repository: Repository, oid: string): Promise<Buffer> {
  const object = await readObject(app.git, repository, oid)
  if (object === undefined) throw notFound('File')
  return object.content
}

/** The bytes of a file: small ones at once, large ones as a stream. */
export async function readFile(
  app: App,
  place: CodePlace,
  file: FoundFile,
): Promise<Buffer | Readable> {
  const repository = repositoryOf(app, place)
  if (file.size <= maxObjectBytes) return smallContent(app, repository, file.blobId)
  return streamBlob(app.git, repository, file.blobId)
}

/**
 * The bytes of a file in base64.
 * @throws DomainError `payload_too_large` above 32 MiB.
 */
export async function readEncoded(app: App, place: CodePlace, file: FoundFile): Promise<string> {
  if (file.size > maxEncodedBytes) {
    throw new DomainError('payload_too_large', {
      message: `The file has ${file.size} bytes, which is too much for JSON; read it raw`,
    })
  }
  const content = await readFile(app, place, file)
  if (Buffer.isBuffer(content)) return content.toString('base64')
  return (await buffer(content)).toString('base64')
}
