import {
  type CodeQuery,
  type FoundBlob,
  type FoundCommit,
  type FoundProjectCommit,
  foldCase,
  notFound,
  parseCodeQuery,
} from '@stithy/core'
import type { Page, SearchSourceKind } from '@stithy/store'
import { findVisiblePipelines } from '../../ci/pipelines/pipeline.service.ts'
import { headOf, resolveRef } from '../../code/revisions/revision.service.ts'
import { openWiki } from '../../code/wikis/wiki-repository.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { searchEngine } from '../search-engine/engine-choice.ts'
import { type SearchEngine, SearchEngineError } from '../search-engine/search-engine.ts'
import { isIndexing } from '../search-index/indexed-repository.ts'
import { findCommits } from './commit-search.ts'
import { findFiles } from './file-search.ts'
import { presentFoundFiles } from './found-file.ts'
import { findCommitsByGit, findFilesByGit, type SearchedCommit } from './git-search.ts'
import type { SearchRequest } from './search-request.ts'
import { neededFor, takePage } from './search-window.ts'

/** A search in one project. */
type ProjectSearch = SearchRequest<ProjectSubject>

/** Files of the repository at a ref, by default the default branch. */
export async function searchProjectBlobs(request: ProjectSearch): Promise<Page<FoundBlob>> {
  return searchFiles(request, 'code', await codeAt(request))
}

/** Pages and attachments of the wiki, on its default branch: `ref` is one of the code. */
export async function searchProjectWikiBlobs(request: ProjectSearch): Promise<Page<FoundBlob>> {
  return searchFiles(request, 'wiki', await wikiAt(request))
}

/** Commits that a ref reaches, by default the default branch, with their newest pipelines. */
export async function searchProjectCommits(
  request: ProjectSearch,
): Promise<Page<FoundProjectCommit>> {
  const { app, caller, subject } = request
  const found = await findCommitsOf(request)
  const shas = found.items.map(({ id }) => id)
  const pipelines = await findVisiblePipelines(app, caller, subject, shas)
  const items = found.items.map((commit) => {
    const pipeline = pipelines.get(commit.id) ?? null
    return { ...commit, status: pipeline?.status ?? null, last_pipeline: pipeline }
  })
  return { ...found, items }
}

async function findCommitsOf(request: ProjectSearch): Promise<Page<FoundCommit>> {
  const { app, caller, query, page } = request
  const at = await codeAt(request)
  if (at === undefined) return emptyPage(request)
  const signal = request.signal()
  const text = foldCase(query.search)
  return indexedOrByGit(request, 'code', at, {
    indexed: (engine) => {
      const scope = scopeOf(request)
      return takePage(app, findCommits(app, { engine, scope, caller, text, signal }), page)
    },
    byGit: () => takePage(app, findCommitsByGit(app, { ...at, text, signal }), page),
  })
}

async function searchFiles(
  request: ProjectSearch,
  kind: SearchSourceKind,
  at: SearchedCommit | undefined,
): Promise<Page<FoundBlob>> {
  if (at === undefined) return emptyPage(request)
  const { app, caller } = request
  const query: CodeQuery = parseCodeQuery(request.query.search)
  const signal = request.signal()
  const page = await indexedOrByGit(request, kind, at, {
    indexed: (engine) => {
      const scope = scopeOf(request)
      const needed = neededFor(app, request.page)
      const found = findFiles(app, { engine, kind, scope, caller, query, needed, signal })
      return takePage(app, found, request.page)
    },
    byGit: () => takePage(app, findFilesByGit(app, { ...at, query, signal }), request.page),
  })
  return { ...page, items: await presentFoundFiles(app, page.items, query.text) }
}

function scopeOf({ subject }: ProjectSearch) {
  return { kind: 'project' as const, projectId: subject.row.id }
}

function emptyPage<T>({ page }: ProjectSearch): Page<T> {
  return { items: [], total: 0, ...page, hasMore: false }
}

/** The commit that is searched; undefined for an empty repository. */
async function codeAt({ app, subject, query }: ProjectSearch): Promise<SearchedCommit | undefined> {
  const { row } = subject
  const ref = query.ref || row.defaultBranch
  if (ref === null) return undefined
  const isHead = ref === row.defaultBranch
  const commit = isHead ? await headOf(app, row) : await resolveRef(app, row, ref)
  if (commit === undefined && query.ref === undefined) return undefined
  if (commit === undefined) throw notFound('Ref')
  const repository = repositoryOf(app, row)
  return { projectId: row.id, kind: 'code', repository, ref, commit, isHead }
}

async function wikiAt({ app, subject }: ProjectSearch): Promise<SearchedCommit | undefined> {
  const { row } = subject
  const { repository, branch: ref, head: commit } = await openWiki(app, row)
  if (commit === undefined) return undefined
  return { projectId: row.id, kind: 'wiki', repository, ref, commit, isHead: true }
}

interface Ways<T> {
  indexed: (engine: SearchEngine) => Promise<T>
  byGit: () => Promise<T>
}

/** Searches the index if it is up to date with what is searched, and otherwise, or if it can't, git. */
async function indexedOrByGit<T>(
  request: ProjectSearch,
  kind: SearchSourceKind,
  at: SearchedCommit,
  { indexed, byGit }: Ways<T>,
): Promise<T> {
  const { app, subject } = request
  if (!at.isHead || !isIndexing(app)) return byGit()
  const engine = searchEngine(app, request.signal())
  try {
    const state = await engine.findState({ projectId: subject.row.id, kind })
    const isCurrent = state?.target === null && state.revision === at.commit
    if (isCurrent) return await indexed(engine)
  } catch (error) {
    if (!(error instanceof SearchEngineError)) throw error
    app.log.warn({ err: error }, 'a project is searched without the search engine')
  }
  return byGit()
}
