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
import type { App } from '../app.ts'
import { repositoryOf } from '../repositories/repository.service.ts'

/** A version before it is written. */
export interface Draft {
  version: NewVersion
  /** Its commits, with their titles. */
  commits: readonly RangeCommit[]
}

/** The two commits that a merge request is about, and the repositories that they come from. */
export interface Ends {
  target: RepositoryRow
  source: RepositoryRow
  /** Of the source branch. */
  headSha: string
  /** Of the target branch. */
  startSha: string
}

/** Brings the head over from a fork; what the target has already is not copied again. */
export async function bringHead(app: App, { target, source, headSha }: Ends): Promise<void> {
  if (source.id === target.id) return
  await fetchCommit(app.git, repositoryOf(app, target), repositoryOf(app, source), headSha)
}

/**
 * Works out what the head has that the target has not, once, so that nobody who reads has to walk a history.
 * Of more than `maxVersionCommits` the newest are kept. The head must have been brought over.
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

/** What must be known of a merge request to publish its head. */
interface Published {
  iid: number
  headSha: string
}

/**
 * Publishes the head of a new merge request, unless somebody has already: a push that came in between has
 * published a newer one.
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

/** Moves the published head on. The old one stays within reach, for the versions that it belongs to. */
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
