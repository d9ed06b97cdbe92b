import {
  maxVersionCommits,
  maxVersionFiles,
  mergeRequestHeadRef,
  type VersionFiles,
  versionFiles,
} from '@stithy/core'
import {
  diffPage,
  emptyTreeOid,
  fetchCommit,
  findMergeBase,
  GitError,
  isNotFound,
  listRange,
  type RangeCommit,
  updateRef,
  updateRefs,
  zeroOid,
} from '@stithy/git'
import { findVersion, type NewVersion, type RepositoryRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'

/** A version to create. */
export interface Draft {
  version: NewVersion
  /** Its commits, with their titles. */
  commits: readonly RangeCommit[]
}

/** The two commits that a merge request compares, and their repositories. */
export interface Ends {
  target: RepositoryRow
  source: RepositoryRow
  /** The tip of the source branch. */
  headSha: string
  /** The tip of the target branch. */
  startSha: string
}

/** What is known of the version before. */
interface PreviousVersion {
  latestVersionId: number
  headSha: string
  baseSha: string | null
}

/** Copies the head from a fork; objects that the target has are not copied again. */
export async function fetchHead(app: App, { target, source, headSha }: Ends): Promise<void> {
  if (source.id === target.id) return
  await fetchCommit(app.git, repositoryOf(app, target), repositoryOf(app, source), headSha)
}

/**
 * Computes the commits that the head has and the target has not, and counts the changed files, once,
 * so that readers walk neither the history nor the diff. Of more than `maxVersionCommits` the newest
 * are stored. The head must be in the target repository.
 */
export async function draftVersion(
  app: App,
  ends: Ends,
  previous?: PreviousVersion,
): Promise<Draft> {
  const { headSha, startSha } = ends
  const repository = repositoryOf(app, ends.target)
  const base = await findMergeBase(app.git, repository, startSha, headSha)
  const commits =
    base === headSha
      ? []
      : await listRange(app.git, repository, {
          tip: headSha,
          notReachableFrom: startSha,
          limit: maxVersionCommits,
        })
  const oids = commits.map(({ oid }) => oid)
  const baseSha = base ?? null
  const files = await filesOf(app, { ...ends, baseSha }, previous)
  return { version: { headSha, startSha, baseSha, ...files, commits: oids }, commits }
}

/** The diff of most versions is that of the one before: only the target branch has moved. */
async function filesOf(
  app: App,
  ends: Ends & { baseSha: string | null },
  previous: PreviousVersion | undefined,
): Promise<VersionFiles> {
  const { target, baseSha, headSha } = ends
  if (baseSha === headSha) return versionFiles(0)
  const isSame = baseSha !== null && previous?.baseSha === baseSha && previous.headSha === headSha
  const known = isSame ? await findVersion(app.db, previous.latestVersionId) : undefined
  if (known !== undefined) return { fileCount: known.fileCount, state: known.state }
  const { timeoutMs, maxListBytes } = codeLimitsOf(app).diff
  const none = { skip: Number.MAX_SAFE_INTEGER, limit: 0, timeoutMs, maxListBytes }
  try {
    const repository = repositoryOf(app, target)
    const { total } = await diffPage(app.git, repository, baseSha ?? emptyTreeOid, headSha, none)
    return versionFiles(total)
  } catch (error) {
    if (!(error instanceof GitError) || isNotFound(error)) throw error
    app.log.warn({ err: error, headSha }, 'the changed files of a version could not be counted')
    return versionFiles(maxVersionFiles + 1)
  }
}

/** What is needed of a merge request to publish its head. */
interface Published {
  iid: number
  headSha: string
}

/**
 * Publishes the head of a new merge request, unless a push in the meantime has published a newer
 * one.
 */
export async function publishHead(
  app: App,
  target: RepositoryRow,
  request: Published,
): Promise<void> {
  await restoreHead(app, target, request, zeroOid)
}

/** Publishes the head of a merge request again, unless it is not `published` any more. */
export async function restoreHead(
  app: App,
  target: RepositoryRow,
  { iid, headSha }: Published,
  published: string,
): Promise<void> {
  try {
    const ref = mergeRequestHeadRef(iid)
    await updateRef(app.git, repositoryOf(app, target), ref, headSha, published)
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'conflict') throw error
  }
}

/** Updates the published head. The old one stays reachable for the versions that have it. */
export async function moveHead(
  app: App,
  target: RepositoryRow,
  { iid, headSha }: Published,
  newHead: string,
): Promise<void> {
  await updateRefs(app.git, repositoryOf(app, target), [
    { ref: `refs/keep-around/${headSha}`, newOid: headSha },
    { ref: mergeRequestHeadRef(iid), newOid: newHead },
  ])
}
