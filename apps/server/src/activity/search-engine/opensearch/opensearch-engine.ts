import { findReadableRepositories, listReadableProjectIds, type ReadableQuery } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Candidate, CandidateQuery, CandidateReader, SearchEngine } from '../search-engine.ts'
import {
  type Filter,
  listSourceProjects,
  projectFilter,
  searchPage,
  subjectFields,
  textFilters,
} from './candidate-query.ts'
import type { EngineClient } from './http-client.ts'
import type { EngineIndex } from './index-access.ts'
import { ensureSource, findSource, openSource } from './source.ts'

/** Projects that a search names; whoever may read more finds little that has to be left out. */
const maxProjects = 200_000

/** An external engine with the OpenSearch API: OpenSearch from 1.0 on, and Elasticsearch 7.10. */
export function openSearchEngine(
  app: App,
  client: EngineClient,
  signal: AbortSignal,
): SearchEngine {
  const { engineStateMs, engineSearchMs, engineWriteMs } = app.config.codeLimits.search
  const timeouts = { state: engineStateMs, search: engineSearchMs, write: engineWriteMs }
  const name = `stithy-code-${app.secrets.fingerprint('search index')}`
  const index: EngineIndex = { client, name, timeouts, signal }
  return {
    findState: async (part) => (await findSource(index, part))?.state,
    async find(part) {
      const source = await findSource(index, part)
      return source && openSource(index, part, app.now, source)
    },
    async ensure(part) {
      return openSource(index, part, app.now, await ensureSource(index, part, app.now()))
    },
    async listProjectIds(page) {
      return [...new Set(await listSourceProjects(index, page))]
    },
    search: (query) => candidateReader(app, index, query),
  }
}

/**
 * The caller's projects are looked up at the start of a search, so that its pages have few hits of
 * others, and again for the hits of each page, from where they are.
 */
function candidateReader(app: App, index: EngineIndex, query: CandidateQuery): CandidateReader {
  const { subject, scope, caller, today, text } = query
  const readable = { kind: subjectFields[subject].kind, scope, caller, today }
  let filters: Filter[] | undefined
  let after: readonly number[] | undefined
  return async (limit) => {
    filters ??= [...textFilters(subject, text), ...(await scopeFilters(app, readable))]
    const hits = await searchPage(index, filters, { limit, after })
    after = hits.at(-1)?.position
    const projectIds = [...new Set(hits.map(({ projectId }) => projectId))]
    const repositories = new Map(
      (await findReadableRepositories(app.db.searchIndex.reads, { ...readable, projectIds })).map(
        (repository) => [repository.projectId, repository],
      ),
    )
    const candidates = hits.flatMap(({ id, oid, path, projectId }): Candidate[] => {
      const repository = repositories.get(projectId)
      return repository === undefined ? [] : [{ ...repository, id, oid, path }]
    })
    return { candidates, isLast: hits.length < limit }
  }
}

async function scopeFilters(app: App, readable: ReadableQuery): Promise<Filter[]> {
  const { scope, caller } = readable
  if (scope.kind === 'project') return [{ term: { projectId: scope.projectId } }]
  if (scope.kind === 'anywhere' && caller.admin) return []
  const limit = maxProjects + 1
  const ids = await listReadableProjectIds(app.db.searchIndex.reads, { ...readable, limit })
  return ids.length > maxProjects ? [] : [projectFilter(ids)]
}
