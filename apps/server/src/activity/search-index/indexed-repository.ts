import type { Repository } from '@stithy/git'
import { findRepository, isProjectWithin } from '@stithy/store'
import { headOf } from '../../code/revisions/revision.service.ts'
import { openWiki } from '../../code/wikis/wiki-repository.ts'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { IndexedPart } from '../search-engine/search-engine.ts'

/** A repository that can be searched, and the newest commit of its default branch. */
export interface SearchedRepository {
  repository: Repository
  head: string
}

/** Whether there is a search index. */
export function isIndexing({ settings }: App): boolean {
  return settings.searchengine_indexing
}

/** Whether code can be searched beyond one project. */
export function hasSearchEngine({ settings }: App): boolean {
  return settings.searchengine_search && settings.searchengine_indexing
}

/**
 * The repository that the index should have; undefined if it is empty, deleted, or not to be
 * indexed.
 */
export async function findIndexedRepository(
  app: App,
  { projectId, kind }: IndexedPart,
): Promise<SearchedRepository | undefined> {
  const project = await findRepository(app.db, projectId)
  if (project === undefined || !(await isSelected(app, projectId))) return undefined
  if (kind === 'wiki') {
    const { repository, head } = await openWiki(app, project)
    return head === undefined ? undefined : { repository, head }
  }
  const head = await headOf(app, project)
  return head === undefined ? undefined : { repository: repositoryOf(app, project), head }
}

/** Whether the settings limit the index to others. */
async function isSelected({ db, settings }: App, projectId: number): Promise<boolean> {
  if (!settings.searchengine_limit_indexing) return true
  if (settings.searchengine_project_ids.includes(projectId)) return true
  const namespaceIds = settings.searchengine_namespace_ids
  return namespaceIds.length > 0 && isProjectWithin(db, { projectId, namespaceIds })
}
