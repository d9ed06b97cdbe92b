import { normalizePath, notFound } from '@stithy/core'
import {
  type BlameRange,
  blameFile,
  findEntry,
  lastCommitFor,
  maxObjectBytes,
  objectInfo,
  type Repository,
} from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { resolveRef, type SourceRepository } from '../revisions/revision.service.ts'
import type { BlobRef } from './blob-ref.ts'
import { readSmall } from './content.service.ts'
import { digestLargeBlob, digestOf } from './file-digest.ts'
import type { FileDigest, LocatedFile, ResolvedFile } from './resolved-file.ts'

/**
 * Finds the file at a path of a branch, tag or commit; the default branch without a ref.
 * @throws DomainError `not_found` for an unknown ref (`Commit`) or path (`File`).
 */
export async function requireFile(
  app: App,
  project: SourceRepository,
  filePath: string,
  ref: string | undefined,
): Promise<ResolvedFile> {
  return withDigest(app, project, await locateFile(app, project, filePath, ref))
}

/** Reads a file that was found, unless its digest is known. */
export async function withDigest(
  app: App,
  project: SourceRepository,
  file: LocatedFile,
  signal?: AbortSignal,
): Promise<ResolvedFile> {
  return { ...file, ...(await digest(app, repositoryOf(app, project), blobOf(file), signal)) }
}

/** Finds a file as `requireFile` does, without reading it. */
export async function locateFile(
  app: App,
  project: SourceRepository,
  filePath: string,
  ref: string | undefined,
): Promise<LocatedFile> {
  const repository = repositoryOf(app, project)
  const commitId = await resolveRef(app, project, ref)
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
    ref: ref || (project.defaultBranch ?? ''),
    blobId: entry.oid,
    commitId,
    lastCommitId: last?.oid ?? commitId,
    mode: entry.mode,
  }
}

async function digest(
  app: App,
  repository: Repository,
  { oid, size }: BlobRef,
  signal: AbortSignal | undefined,
): Promise<FileDigest> {
  if (size > maxObjectBytes) return digestLargeBlob(app, repository, oid, signal)
  return digestOf(oid, await readSmall(app, repository, oid))
}

/** The blob of a file. */
export function blobOf({ blobId, size }: LocatedFile): BlobRef {
  return { oid: blobId, size }
}

/**
 * Finds which commit last changed each line of a file.
 * @throws GitError when a limit is exceeded.
 */
export async function blame(
  app: App,
  project: SourceRepository,
  { commitId, path }: ResolvedFile,
  signal: AbortSignal,
): Promise<BlameRange[]> {
  const file = { commit: commitId, path }
  const limits = codeLimitsOf(app).blame
  return blameFile(app.git, repositoryOf(app, project), file, limits, signal)
}
