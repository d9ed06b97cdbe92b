import {
  type CodeQuery,
  type FoundBlob,
  type FoundCommit,
  type FoundProjectCommit,
  notFound,
  parseCodeQuery,
} from '@stithy/core'
import { findSearchSource, type Page, type SearchSourceKind } from '@stithy/store'
import { findVisiblePipelines } from '../../ci/pipelines/pipeline.service.ts'
import { headOf, resolveRef } from '../../code/revisions/revision.service.ts'
import { openWiki } from '../../code/wikis/wiki-repository.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { isIndexing } from '../search-index/indexed-repository.ts'
import { findCommits } from './commit-search.ts'
import { findFiles } from './file-search.ts'
import { presentFoundFiles } from './found-file.ts'
import { findCommitsByGit, findFilesByGit, type SearchedCommit } from './git-search.ts'
import type { SearchRequest } from './search-request.ts'
import { takePage } from './search-window.ts'

/** A search in one project. */
type ProjectSearch = SearchRequest<ProjectSubject>

/** Files of the repository at a ref, by default the default branch. */
export async function searchProjectBlobs(request: ProjectSearch): Promise<Page<FoundBlob>> {
  return searchFiles(request, 'code', await codeAt(request))
}

/** Pages and attachments of the wiki at a branch, by default its default branch. */
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
  const text = query.search.toLowerCase()
  const found = (await isIndexed(request, 'code', at))
    ? findCommits(app, { scope: scopeOf(request), caller, text, signal })
    : findCommitsByGit(app, { ...at, text, signal })
  return takePage(app, found, page)
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
  const found = (await isIndexed(request, kind, at))
    ? findFiles(app, { kind, scope: scopeOf(request), caller, query, signal })
    : findFilesByGit(app, { ...at, query, signal })
  const page = await takePage(app, found, request.page)
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
  return { projectId: row.id, repository: repositoryOf(app, row), ref, commit, isHead }
}

async function wikiAt({ app, subject, query }: ProjectSearch): Promise<SearchedCommit | undefined> {
  const { row } = subject
  const wiki = await openWiki(app, row)
  const { repository, branch } = wiki
  const isHead = !query.ref || query.ref === branch
  const { head } = isHead ? wiki : await openWiki(app, row, query.ref)
  if (head === undefined) {
    if (isHead) return undefined
    throw notFound('Ref')
  }
  return { projectId: row.id, repository, ref: query.ref || branch, commit: head, isHead }
}

/** Whether the index is up to date with what is searched. */
async function isIndexed(
  { app, subject }: ProjectSearch,
  kind: SearchSourceKind,
  { isHead, commit }: SearchedCommit,
): Promise<boolean> {
  if (!isHead || !isIndexing(app)) return false
  const key = { projectId: subject.row.id, kind }
  const source = await findSearchSource(app.db.searchIndex.reads, key)
  return source !== undefined && source.target === null && source.revision === commit
}
