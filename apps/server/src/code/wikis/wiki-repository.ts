import { notFound } from '@stithy/core'
import {
  createRepository,
  GitError,
  listRefs,
  type Repository,
  readHead,
  removeRepository,
  repositoryExists,
} from '@stithy/git'
import { findRepository } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import {
  type RepositoryLocation,
  repositoryOf,
  wikiLocationOf,
} from '../../platform/repositories/repository-location.ts'

/** The default branch of new wikis, as v4 clients know it; a push may bring another one. */
const firstBranch = 'master'

/** The project that a wiki belongs to. */
export interface WikiProject extends RepositoryLocation {
  id: number
}

/** The repository of a wiki at one moment. */
export interface Wiki {
  /** Which need not exist before the first commit. */
  repository: Repository
  /** The branch of the pages. */
  branch: string
  /** Its commit; undefined without one. */
  head: string | undefined
  /** Whether there are no branches at all. */
  isEmpty: boolean
}

/** The repository of a project's wiki, whether it exists or not. */
export function wikiRepositoryOf(app: App, project: RepositoryLocation): Repository {
  return repositoryOf(app, wikiLocationOf(project))
}

/** Opens the wiki of a project at a branch, by default the one that HEAD names. */
export async function openWiki(
  app: App,
  project: RepositoryLocation,
  branch?: string,
): Promise<Wiki> {
  const repository = wikiRepositoryOf(app, project)
  if (!(await repositoryExists(repository))) {
    return { repository, branch: branch ?? firstBranch, head: undefined, isEmpty: true }
  }
  const chosen = branch ?? (await readHead(repository)) ?? firstBranch
  const heads = await listRefs(app.git, repository, 'heads')
  const head = heads.find(({ name }) => name === chosen)?.oid
  return { repository, branch: chosen, head, isEmpty: heads.length === 0 }
}

/**
 * Creates the repository of a project's wiki unless it exists.
 * @throws DomainError `not_found` if the project was deleted meanwhile
 */
export async function ensureWikiRepository(app: App, project: WikiProject): Promise<Repository> {
  const repository = wikiRepositoryOf(app, project)
  if (await repositoryExists(repository)) return repository
  try {
    await createRepository(app.git, repository.path, { defaultBranch: firstBranch })
  } catch (error) {
    // Another request created it.
    if (!(error instanceof GitError) || error.code !== 'conflict') throw error
  }
  // The job that removes the repositories of a deleted project may have run before.
  if ((await findRepository(app.db, project.id)) === undefined) {
    await removeRepository(app.git, repository)
    throw notFound('Project')
  }
  return repository
}
