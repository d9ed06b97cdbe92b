import {
  countIndexedRepositories,
  countSearchableRepositories,
  countWithoutJob,
  listChangingSources,
  readUnfinishedJobs,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { searchQueue } from '../../platform/jobs/queues.ts'
import { hasExternalEngine } from '../search-engine/engine-choice.ts'
import { isIndexing } from './indexed-repository.ts'
import { indexKind, payloadOf } from './search-index.jobs.ts'

/** How far the search index is. Repositories are those of projects and of wikis. */
export interface IndexStatus {
  isOn: boolean
  /** Repositories that it should have: none while it is off. */
  repositories: number
  /** Repositories that it has, up to some commit; undefined for an external engine. */
  indexed: number | undefined
  /**
   * Repositories that are looked at or wait for it, because of a change or to be checked; and of the
   * embedded index those that a command indexes at the moment.
   */
  waiting: number
  /** Milliseconds since the first of these changes; a command to rebuild the index is none. */
  lag: number
}

/** Reads the status of the search index: five queries at most. */
export async function readIndexStatus(app: App): Promise<IndexStatus> {
  const { db, settings } = app
  const isOn = isIndexing(app)
  const selection = settings.searchengine_limit_indexing
    ? {
        projectIds: settings.searchengine_project_ids,
        namespaceIds: settings.searchengine_namespace_ids,
      }
    : undefined
  const isExternal = hasExternalEngine(app)
  const [repositories, indexed, changing, { payloads, oldest }] = await Promise.all([
    isOn ? countSearchableRepositories(db, selection) : 0,
    isExternal ? undefined : countIndexedRepositories(db.searchIndex.reads),
    isExternal ? 0 : countChangedByCommands(app),
    readUnfinishedJobs(db, { queue: searchQueue, kind: indexKind }),
  ])
  const lag = oldest === null ? 0 : Math.max(0, app.now() - oldest)
  return { isOn, repositories, indexed, waiting: payloads + changing, lag }
}

/** Repositories whose index is written to, but not by a job. */
async function countChangedByCommands({ db }: App): Promise<number> {
  const payloads = (await listChangingSources(db.searchIndex.reads)).map(payloadOf)
  return countWithoutJob(db, { queue: searchQueue, kind: indexKind, payloads })
}
