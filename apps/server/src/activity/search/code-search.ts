import {
  DomainError,
  type FoundBlob,
  type FoundCommit,
  foldCase,
  parseCodeQuery,
  refused,
} from '@stithy/core'
import type { CodeSearchScope, Page, SearchSourceKind } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import { searchEngine } from '../search-engine/engine-choice.ts'
import { type SearchEngine, SearchEngineError } from '../search-engine/search-engine.ts'
import { hasSearchEngine } from '../search-index/indexed-repository.ts'
import { findCommits } from './commit-search.ts'
import { findFiles } from './file-search.ts'
import { presentFoundFiles } from './found-file.ts'
import type { SearchRequest } from './search-request.ts'
import { neededFor, takePage } from './search-window.ts'

const anywhere: CodeSearchScope = { kind: 'anywhere' }

function withinGroup({ subject }: SearchRequest<GroupSubject>): CodeSearchScope {
  return { kind: 'group', groupId: subject.row.id }
}

/** Files of all repositories. */
export function searchBlobs(request: SearchRequest): Promise<Page<FoundBlob>> {
  return searchFiles(request, 'code', anywhere)
}

/** Files of the repositories of a group and its subgroups. */
export function searchGroupBlobs(request: SearchRequest<GroupSubject>): Promise<Page<FoundBlob>> {
  return searchFiles(request, 'code', withinGroup(request))
}

/** Pages and attachments of all wikis. */
export function searchWikiBlobs(request: SearchRequest): Promise<Page<FoundBlob>> {
  return searchFiles(request, 'wiki', anywhere)
}

/** Pages and attachments of the wikis of a group and its subgroups. */
export function searchGroupWikiBlobs(
  request: SearchRequest<GroupSubject>,
): Promise<Page<FoundBlob>> {
  return searchFiles(request, 'wiki', withinGroup(request))
}

/** Commits of all default branches. */
export function searchCommits(request: SearchRequest): Promise<Page<FoundCommit>> {
  return searchIndexedCommits(request, anywhere)
}

/** Commits of the default branches of a group and its subgroups. */
export function searchGroupCommits(
  request: SearchRequest<GroupSubject>,
): Promise<Page<FoundCommit>> {
  return searchIndexedCommits(request, withinGroup(request))
}

function searchFiles(
  request: SearchRequest<unknown>,
  kind: SearchSourceKind,
  scope: CodeSearchScope,
): Promise<Page<FoundBlob>> {
  return withSearchEngine(request, async (engine, signal) => {
    const { app, caller } = request
    const query = parseCodeQuery(request.query.search)
    const needed = neededFor(app, request.page)
    const found = findFiles(app, { engine, kind, scope, caller, query, needed, signal })
    const page = await takePage(app, found, request.page)
    return { ...page, items: await presentFoundFiles(app, page.items, query.text) }
  })
}

function searchIndexedCommits(
  request: SearchRequest<unknown>,
  scope: CodeSearchScope,
): Promise<Page<FoundCommit>> {
  return withSearchEngine(request, (engine, signal) => {
    const { app, caller } = request
    const text = foldCase(request.query.search)
    return takePage(app, findCommits(app, { engine, scope, caller, text, signal }), request.page)
  })
}

/**
 * Answers 400 if the administrator has switched the search of code off, and 503 if an external
 * engine does not respond.
 */
async function withSearchEngine<T>(
  { app, ...request }: SearchRequest<unknown>,
  search: (engine: SearchEngine, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!hasSearchEngine(app)) throw refused('Scope not supported without the search engine')
  const signal = request.signal()
  try {
    return await search(searchEngine(app, signal), signal)
  } catch (error) {
    if (!(error instanceof SearchEngineError)) throw error
    app.log.warn({ err: error }, 'code cannot be searched')
    throw new DomainError('unavailable', { message: 'The search engine does not respond' })
  }
}
