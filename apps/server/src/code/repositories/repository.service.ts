import { normalizePath, notFound } from '@stithy/core'
import { listBelow, listTree, type TreeEntry, type TreePage, type TreeRange } from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { resolveRef, type SourceRepository } from '../revisions/revision.service.ts'

export interface TreeRequest {
  path?: string | undefined
  ref?: string | undefined
  recursive?: boolean | undefined
}

/**
 * Lists the entries of a directory: none for an unknown path or an empty repository.
 * @throws DomainError `not_found` for an unknown ref.
 */
export async function listDirectory(
  app: App,
  project: SourceRepository,
  { path = '', ref, recursive = false }: TreeRequest,
  request: PageRequest,
): Promise<Page<TreeEntry>> {
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
  return pageOf(request, (range) =>
    recursive
      ? listBelow(app.git, repository, { ...folder, ...range, limits })
      : listTree(app.git, repository, { ...folder, ...range }),
  )
}

async function pageOf(
  { page, perPage }: PageRequest,
  list: (range: TreeRange) => Promise<TreePage | undefined>,
): Promise<Page<TreeEntry>> {
  const found = await list({ skip: (page - 1) * perPage, limit: perPage })
  return { items: found?.entries ?? [], total: found?.total ?? 0, page, perPage }
}
