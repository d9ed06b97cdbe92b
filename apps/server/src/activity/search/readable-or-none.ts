import { GitError, type GitErrorCode, type Repository, repositoryExists } from '@stithy/git'
import type { App } from '../../platform/app.ts'

/** Errors that say something of the repository, and nothing of this call or of its limits. */
const unreadable: ReadonlySet<GitErrorCode> = new Set(['not_found', 'corrupt', 'failed'])

/**
 * What is read from one repository for a search of many, or `none` where it can't be read: it may
 * have been deleted since it was found, and one that is damaged must not hide all others.
 * @throws GitError for an exceeded limit, and if the reader left
 */
export async function readableOrNone<T>(
  { log }: App,
  repository: Repository,
  reading: Promise<T>,
  none: T,
): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof GitError && unreadable.has(error.code))) throw error
    if (await repositoryExists(repository)) {
      log.warn({ err: error, path: repository.path }, 'a repository cannot be searched')
    }
    return none
  }
}
