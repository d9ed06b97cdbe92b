import {
  countIndexedRepositories,
  countSearchableRepositories,
  readUnfinishedJobs,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { searchQueue } from '../../platform/jobs/queues.ts'
import { hasExternalEngine } from '../search-engine/engine-choice.ts'
import { isIndexing } from './indexed-repository.ts'
import { indexKind } from './search-index.jobs.ts'

/** How far the search index is. Repositories are those of projects and of wikis. */
export interface IndexStatus {
  isOn: boolean
  /** Repositories that it should have: none while it is off. */
  repositories: number
  /** Repositories that it has, up to some commit; undefined for an external engine. */
  indexed: number | undefined
  /** Repositories that are looked at or wait for it, because of a change or to be checked. */
  waiting: number
  /** Milliseconds since the first of these changes. */
  lag: number
}

/** Reads the status of the search index: three queries. */
export async function readIndexStatus(app: App): Promise<IndexStatus> {
  const { db, settings } = app
  const isOn = isIndexing(app)
  const selection = settings.searchengine_limit_indexing
    ? {
        projectIds: settings.searchengine_project_ids,
        namespaceIds: settings.searchengine_namespace_ids,
      }
    : undefined
  const [repositories, indexed, { payloads, oldest }] = await Promise.all([
    isOn ? countSearchableRepositories(db, selection) : 0,
    hasExternalEngine(app) ? undefined : countIndexedRepositories(db.searchIndex.reads),
    readUnfinishedJobs(db, { queue: searchQueue, kind: indexKind }),
  ])
  const lag = oldest === null ? 0 : Math.max(0, app.now() - oldest)
  return { isOn, repositories, indexed, waiting: payloads, lag }
}
