import { join } from 'node:path'
import { normalizePath, notFound } from '@stithy/core'
import { findBranch, listTree, type Repository, resolveCommit, type TreeEntry } from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../app.ts'

/** What must be known of a project to find its repository. */
export interface RepositoryPlace {
  repositoryStorage: string
  /** Relative to the storage. */
  repositoryPath: string
}

/** What must be known of a project to read its code. */
export interface CodePlace extends RepositoryPlace {
  /** Null while nothing was pushed. */
  defaultBranch: string | null
}

/** The repository of a project, on the storage that it lies on. */
export function repositoryOf(app: App, place: RepositoryPlace): Repository {
  const storage = app.config.repositoryStorages[place.repositoryStorage]
  if (storage === undefined) throw new Error(`unknown storage ${place.repositoryStorage}`)
  return { path: join(storage, place.repositoryPath) }
}

/** The newest commit of the default branch; undefined while there is none. */
export async function headOf(app: App, place: CodePlace): Promise<string | undefined> {
  if (place.defaultBranch === null) return undefined
  return (await findBranch(app.git, repositoryOf(app, place), place.defaultBranch))?.oid
}

/** The commit that a branch, tag or hash stands for; without one, that of the default branch. */
export function resolveRef(
  app: App,
  place: CodePlace,
  ref: string | undefined,
): Promise<string | undefined> {
  if (ref === undefined || ref === '') return headOf(app, place)
  return resolveCommit(app.git, repositoryOf(app, place), ref)
}

/** One page of what is in memory already. */
export function slicePage<T>(items: readonly T[], { page, perPage }: PageRequest): Page<T> {
  const start = (page - 1) * perPage
  return { items: items.slice(start, start + perPage), total: items.length, page, perPage }
}

export interface TreeRequest {
  path?: string | undefined
  ref?: string | undefined
  recursive?: boolean | undefined
}

/**
 * Entries of a directory (catalogue: repository, 1): none for an unknown path or an empty repository.
 * @throws DomainError `not_found` for an unknown ref.
 */
export async function listDirectory(
  app: App,
  place: CodePlace,
  { path = '', ref, recursive = false }: TreeRequest,
  request: PageRequest,
): Promise<Page<TreeEntry>> {
  const commit = await resolveRef(app, place, ref)
  if (commit === undefined) {
    if (ref === undefined || ref === '') return slicePage([], request)
    throw notFound('Tree')
  }
  const normal = normalizePath(path)
  if (normal === undefined) return slicePage([], request)
  const query = { commit, path: normal, recursive }
  const entries = await listTree(app.git, repositoryOf(app, place), query)
  return slicePage(entries ?? [], request)
}
