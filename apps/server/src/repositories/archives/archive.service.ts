import type { Readable } from 'node:stream'
import { archiveFormat, archiveName, DomainError, notFound } from '@stithy/core'
import { archiveSize, GitError, openArchive } from '@stithy/git'
import type { App } from '../../app.ts'
import { type CodePlace, repositoryOf, resolveRef } from '../repository.service.ts'
import type { FoundArchive } from './found-archive.ts'

/** A project as archives name it. */
export interface ArchivedProject extends CodePlace {
  path: string
}

/** The largest part of the time limit that may pass before the first byte. */
const checkTimeoutMs = 30_000

/**
 * The archive that a suffix and a ref (the default branch where it is empty) ask for.
 * @throws DomainError `not_found` for an unknown ref or suffix, and in an empty repository.
 */
export async function requireArchive(
  app: App,
  project: ArchivedProject,
  suffix: string,
  ref: string | undefined,
): Promise<FoundArchive> {
  const format = archiveFormat(suffix)
  const commitId = await resolveRef(app, project, ref)
  if (format === undefined || commitId === undefined) throw notFound('File')
  const name = archiveName(project.path, ref || (project.defaultBranch ?? ''), commitId)
  return { format, name, commitId }
}

/**
 * Packs an archive as a stream, once it has begun: what is too large is refused before.
 * @throws DomainError `not_acceptable` where this machine cannot make the format; GitError of limits.
 */
export async function packArchive(
  app: App,
  project: ArchivedProject,
  { format, name, commitId }: FoundArchive,
  signal: AbortSignal,
): Promise<Readable> {
  const repository = repositoryOf(app, project)
  const { timeoutMs, maxBytes } = app.config.codeLimits.archive
  const checkMs = Math.min(timeoutMs, checkTimeoutMs)
  await archiveSize(app.git, repository, commitId, { maxBytes, timeoutMs: checkMs, signal })
  const limits = { timeoutMs, maxOutputBytes: maxBytes, signal }
  try {
    const options = { format, directory: name, ...limits }
    return await openArchive(app.git, repository, commitId, options)
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'missing_program') throw error
    throw new DomainError('not_acceptable', {
      message: `This server cannot make ${format} archives`,
    })
  }
}
