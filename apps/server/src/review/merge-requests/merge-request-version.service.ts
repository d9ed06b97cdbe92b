import { maxVersionCommits, mergeRequestHeadRef } from '@stithy/core'
import {
  fetchCommit,
  findMergeBase,
  GitError,
  listRange,
  type RangeCommit,
  updateRef,
  updateRefs,
  zeroOid,
} from '@stithy/git'
import type { NewVersion, RepositoryRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'

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

/** Copies the head from a fork; objects that the target has are not copied again. */
export async function fetchHead(app: App, { target, source, headSha }: Ends): Promise<void> {
  if (source.id === target.id) return
  await fetchCommit(app.git, repositoryOf(app, target), repositoryOf(app, source), headSha)
}

/**
 * Computes the commits that the head has and the target has not, once, so that readers do not walk
 * the history. Of more than `maxVersionCommits` the newest are stored. The head must be in the
 * target repository.
 */
export async function draftVersion(app: App, ends: Ends): Promise<Draft> {
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
  return { version: { headSha, startSha, baseSha: base ?? null, commits: oids }, commits }
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
  { iid, headSha }: Published,
): Promise<void> {
  try {
    const ref = mergeRequestHeadRef(iid)
    await updateRef(app.git, repositoryOf(app, target), ref, headSha, zeroOid)
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
