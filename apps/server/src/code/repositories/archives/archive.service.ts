import type { Readable } from 'node:stream'
import { archiveFormat, archiveName, DomainError, notFound } from '@stithy/core'
import { archiveSize, GitError, openArchive } from '@stithy/git'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { inClientSlot } from '../../../platform/http/output-slots.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../../platform/settings/code-settings.ts'
import { resolveRef, type SourceRepository } from '../../revisions/revision.service.ts'
import type { ResolvedArchive } from './resolved-archive.ts'

/** What the archive's name needs of a project. */
export interface ArchivedProject extends SourceRepository {
  id: number
  path: string
}

/** Who downloads an archive of what. */
export interface ArchiveRequest {
  project: ArchivedProject
  caller: Pick<Caller, 'user'>
}

/**
 * Resolves the archive that a suffix and a ref (the default branch if empty) ask for.
 * @throws DomainError `not_found` for an unknown ref or suffix, and in an empty repository.
 */
export async function requireArchive(
  app: App,
  project: ArchivedProject,
  suffix: string,
  ref: string | undefined,
): Promise<ResolvedArchive> {
  const format = archiveFormat(suffix)
  const commitId = await resolveRef(app, project, ref)
  if (format === undefined || commitId === undefined) throw notFound('File')
  const name = archiveName(project.path, ref || (project.defaultBranch ?? ''), commitId)
  return { format, name, commitId }
}

/**
 * Packs an archive when its turn comes; resolves to the stream once it has started, so that an
 * oversized one is refused before.
 * @throws DomainError `not_acceptable` if this machine cannot create the format,
 * `too_many_requests` if too many wait; GitError of limits.
 */
export async function packArchive(
  app: App,
  request: ArchiveRequest,
  archive: ResolvedArchive,
  signal: AbortSignal,
): Promise<Readable> {
  return inClientSlot(app, request, signal, () =>
    startArchive(app, request.project, archive, signal),
  )
}

async function startArchive(
  app: App,
  project: ArchivedProject,
  { format, name, commitId }: ResolvedArchive,
  signal: AbortSignal,
): Promise<Readable> {
  const repository = repositoryOf(app, project)
  const { archive, tree } = codeLimitsOf(app)
  const { timeoutMs, maxBytes, maxEntries, cpuSeconds, stallMs } = archive
  const checked = {
    maxBytes,
    maxEntries,
    maxOutputBytes: tree.maxOutputBytes,
    timeoutMs: Math.min(timeoutMs, archive.checkTimeoutMs),
  }
  await archiveSize(app.git, repository, commitId, checked, signal)
  const limits = { timeoutMs, maxOutputBytes: maxBytes, cpuSeconds, stallMs, signal }
  try {
    const options = { format, directory: name, ...limits }
    return await openArchive(app.git, repository, commitId, options)
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'missing_program') throw error
    throw new DomainError('not_acceptable', {
      message: `This server cannot create ${format} archives`,
    })
  }
}
