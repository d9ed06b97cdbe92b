import {
  type Commit,
  type DiffEntry,
  fileCountText,
  type MergeRequestVersion,
  type MergeRequestVersionDetail,
  maxVersionFiles,
  notFound,
} from '@stithy/core'
import {
  type ChangedFile,
  diffPage,
  diffRange,
  emptyTreeOid,
  listChangedFiles,
  readCommits,
} from '@stithy/git'
import {
  findVersion,
  listVersionCommitPage,
  listVersions,
  type MergeRequestRow,
  type Page,
  type PageRequest,
  type Row,
} from '@stithy/store'
import { presentCommits, presentDiff } from '../../../code/commits/commit.presenter.ts'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import type { App } from '../../../platform/app.ts'
import { timestampText } from '../../../platform/http/timestamp.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../../platform/settings/code-settings.ts'

type Version = Row<'mergeRequestVersions'>

/** Lists a page of the commits of a version, newest first. One query, and one read of git. */
async function viewCommits(
  app: App,
  { project }: MergeRequestItem,
  version: Version,
  request: PageRequest,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Page<Commit>> {
  const page = await listVersionCommitPage(app.db, version, request)
  const repository = repositoryOf(app, project.row)
  const commits = await readCommits(app.git, repository, page.items, maxBytes)
  return { ...page, items: presentCommits(commits) }
}

/** Lists a page of the commits of a merge request, newest first. */
export async function listMergeRequestCommits(
  app: App,
  item: MergeRequestItem,
  request: PageRequest,
): Promise<Page<Commit>> {
  return viewCommits(app, item, await latestVersion(app, item), request)
}

/** The diff between the merge base and the head of the latest version. */
export function diffOfMergeRequest(
  app: App,
  item: MergeRequestItem,
  signal: AbortSignal,
): Promise<DiffEntry[]> {
  return diffOf(app, item, item.row, signal)
}

/** Which files of which versions `GET .../diffs` lists. */
export interface DiffFilter {
  version_id?: number | undefined
  start_version_id?: number | undefined
  path?: string | undefined
  ignore_whitespace?: boolean | undefined
}

/**
 * Lists the changed files of a version, by default the latest; the limits of a diff apply to each page.
 * At most two queries.
 * @throws DomainError `not_found`
 */
export async function listDiffs(
  app: App,
  item: MergeRequestItem,
  filter: DiffFilter,
  { page, perPage }: PageRequest,
  signal: AbortSignal,
): Promise<Page<DiffEntry>> {
  const { version_id: id, start_version_id: startId, path } = filter
  const version = await requireVersion(app, item, id ?? item.row.latestVersionId)
  const start = startId === undefined ? undefined : await requireVersion(app, item, startId)
  const from = start === undefined ? version.baseSha : start.headSha
  const isShown = [version, ...(start === undefined ? [] : [start])].every((each) =>
    hasFiles(item.row, each),
  )
  if (from === version.headSha || !isShown) return { items: [], total: 0, page, perPage }
  const limits = codeLimitsOf(app).diff
  const repository = repositoryOf(app, item.project.row)
  const found = await diffPage(app.git, repository, from ?? emptyTreeOid, version.headSha, {
    ...limits,
    skip: (page - 1) * perPage,
    limit: perPage,
    signal,
    ...(path === undefined ? {} : { path, maxFileBytes: limits.maxTotalBytes }),
    ...(filter.ignore_whitespace === true ? { ignoreWhitespace: true } : {}),
  })
  return { items: presentDiff(found.entries), total: found.total, page, perPage }
}

/**
 * Lists all changed files of a version, by default the latest, without their diffs. At most one query.
 * @throws DomainError `not_found`, `payload_too_large`
 */
export async function listChangedFilesOf(
  app: App,
  item: MergeRequestItem,
  versionId: number | undefined,
  signal: AbortSignal,
): Promise<readonly ChangedFile[]> {
  const version = await requireVersion(app, item, versionId ?? item.row.latestVersionId)
  const { baseSha, headSha } = version
  if (baseSha === headSha || !hasFiles(item.row, version)) return []
  const repository = repositoryOf(app, item.project.row)
  const options = { ...codeLimitsOf(app).diff, signal }
  return listChangedFiles(app.git, repository, [baseSha ?? emptyTreeOid, headSha], options)
}

/** Lists the versions of a merge request, newest first. */
export async function listMergeRequestVersions(
  app: App,
  { row }: MergeRequestItem,
  request: PageRequest,
): Promise<Page<MergeRequestVersion>> {
  const page = await listVersions(app.db, row.id, request)
  return { ...page, items: page.items.map((version) => presentVersion(row, version)) }
}

/**
 * A version with its commits and diff; the diff of an earlier version than the merged one is
 * dropped.
 * @throws DomainError `not_found`
 */
export async function showVersion(
  app: App,
  item: MergeRequestItem,
  id: number,
  signal: AbortSignal,
): Promise<MergeRequestVersionDetail> {
  const version = await requireVersion(app, item, id)
  const { maxCommits: perPage, maxCommitBytes } = codeLimitsOf(app).compare
  const all = { page: 1, perPage }
  const { items: commits } = await viewCommits(app, item, version, all, maxCommitBytes)
  const diffs = hasFiles(item.row, version) ? await diffOf(app, item, version, signal) : []
  return { ...presentVersion(item.row, version), commits, diffs }
}

/** A version of this merge request. */
async function requireVersion(app: App, { row }: MergeRequestItem, id: number): Promise<Version> {
  const version = await findVersion(app.db, id)
  if (version === undefined || version.mergeRequestId !== row.id) throw notFound('Version')
  return version
}

async function latestVersion(app: App, { row }: MergeRequestItem): Promise<Version> {
  const version = await findVersion(app.db, row.latestVersionId)
  // Deleted since.
  if (version === undefined) throw notFound('Merge Request')
  return version
}

async function diffOf(
  app: App,
  { project }: MergeRequestItem,
  { baseSha, headSha }: Pick<Version, 'baseSha' | 'headSha'>,
  signal: AbortSignal,
): Promise<DiffEntry[]> {
  if (baseSha === headSha) return []
  const { maxListBytes: _, ...bounds } = codeLimitsOf(app).diff
  const limits = { ...bounds, maxFiles: maxVersionFiles, partial: true, signal }
  const repository = repositoryOf(app, project.row)
  const { entries } = await diffRange(app.git, repository, baseSha ?? emptyTreeOid, headSha, limits)
  return presentDiff(entries)
}

/** Once a merge request is merged, only its latest version has files. */
function hasFiles(request: MergeRequestRow, { id }: Version): boolean {
  return request.state !== 'merged' || id === request.latestVersionId
}

function presentVersion(request: MergeRequestRow, version: Version): MergeRequestVersion {
  return {
    id: version.id,
    head_commit_sha: version.headSha,
    base_commit_sha: version.baseSha,
    start_commit_sha: version.startSha,
    created_at: timestampText(version.createdAt),
    merge_request_id: version.mergeRequestId,
    state: hasFiles(request, version) ? version.state : 'without_files',
    real_size: fileCountText(version),
  }
}
