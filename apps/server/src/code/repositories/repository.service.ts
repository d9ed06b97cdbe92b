import { normalizePath, notFound } from '@stithy/core'
import { listTree, type TreeEntry } from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
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
  const query = { commit, path: normal, recursive }
  const entries = await listTree(app.git, repositoryOf(app, project), query)
  return slicePage(entries ?? [], request)
}
