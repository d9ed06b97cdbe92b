import { maxSearchedEntries, normalizePath, notFound } from '@stithy/core'
import {
  lastCommits,
  listBelow,
  listTree,
  type Repository,
  type TreeEntry,
  type TreePage,
  type TreeQuery,
  type TreeRange,
} from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { resolveRef, type SourceRepository } from '../revisions/revision.service.ts'
import type { ListedEntry } from './listed-entry.ts'

export interface TreeRequest {
  path?: string | undefined
  ref?: string | undefined
  recursive?: boolean | undefined
  search?: string | undefined
  with_last_commits?: boolean | undefined
}

/**
 * Lists the entries of a directory: none for an unknown path or an empty repository.
 * @throws DomainError `not_found` for an unknown ref.
 */
export async function listDirectory(
  app: App,
  project: SourceRepository,
  { path = '', ref, recursive = false, search, with_last_commits: isDated = false }: TreeRequest,
  request: PageRequest,
): Promise<Page<ListedEntry>> {
  const commit = await resolveRef(app, project, ref)
  if (commit === undefined) {
    if (ref === undefined || ref === '') return slicePage([], request)
    throw notFound('Tree')
  }
  const normal = normalizePath(path)
  if (normal === undefined) return slicePage([], request)
  const folder = { commit, path: normal }
  const repository = repositoryOf(app, project)
  const limits = codeLimitsOf(app).tree
  if (search) return slicePage(await findFiles(app, repository, folder, search), request)
  const found = await pageOf(request, (range) =>
    recursive
      ? listBelow(app.git, repository, { ...folder, ...range, limits })
      : listTree(app.git, repository, { ...folder, ...range }),
  )
  if (!isDated) return found
  const query = { ...folder, entries: found.items }
  const dates = await lastCommits(app.git, repository, query, codeLimitsOf(app).lastCommits)
  const items = found.items.map((entry) => ({
    ...entry,
    lastCommit: dates.get(entry.name) ?? null,
  }))
  return { ...found, items }
}

/** The files below a folder whose paths contain a text, whatever its case. */
async function findFiles(
  app: App,
  repository: Repository,
  folder: TreeQuery,
  search: string,
): Promise<TreeEntry[]> {
  const range = { skip: 0, limit: maxSearchedEntries }
  const { tree: limits } = codeLimitsOf(app)
  const below = await listBelow(app.git, repository, { ...folder, ...range, limits })
  const term = search.toLowerCase()
  const entries = below?.entries ?? []
  return entries.filter(({ type, path }) => type === 'blob' && path.toLowerCase().includes(term))
}

async function pageOf(
  { page, perPage }: PageRequest,
  list: (range: TreeRange) => Promise<TreePage | undefined>,
): Promise<Page<TreeEntry>> {
  const found = await list({ skip: (page - 1) * perPage, limit: perPage })
  return { items: found?.entries ?? [], total: found?.total ?? 0, page, perPage }
}
