import { badRequest, notFound } from '@stithy/core'
import {
  type Commit,
  type Diff,
  diffRange,
  findCommonAncestor,
  findMergeBase,
  listNewestCommits,
  readCommit,
} from '@stithy/git'
import type { App } from '../../../platform/app.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../../platform/settings/code-settings.ts'
import { resolveRef, type SourceRepository } from '../../revisions/revision.service.ts'
import type { ComparisonResult } from './comparison-result.ts'

/** The two refs to compare: branches, tags or commits. */
export interface CompareRequest {
  from: string
  to: string
  /** Diff from `from` itself rather than from the merge base. */
  straight?: boolean | undefined
}

/**
 * Compares two refs: the commits that `to` has and `from` has not, and the diff. Unrelated
 * histories are compared directly.
 * @throws DomainError `not_found` for an unknown ref.
 */
export async function compareRefs(
  app: App,
  project: SourceRepository,
  { from, to, straight = false }: CompareRequest,
  signal: AbortSignal,
): Promise<ComparisonResult> {
  const [older, newer] = await Promise.all([from, to].map((ref) => resolveRef(app, project, ref)))
  if (older === undefined || newer === undefined) throw notFound('Ref')
  const repository = repositoryOf(app, project)
  const base = straight ? older : await findMergeBase(app.git, repository, older, newer)
  const { compare, diff: bounds } = codeLimitsOf(app)
  const range = { tip: newer, notReachableFrom: older }
  const { commits, isCut } = await listNewestCommits(app.git, repository, range, {
    limit: compare.maxCommits,
    maxBytes: compare.maxCommitBytes,
  })
  const limits = { ...bounds, maxFiles: compare.maxFiles, partial: true, signal }
  const diff = await diffRange(app.git, repository, base ?? older, newer, limits)
  return {
    commits: commits.toReversed(),
    diff,
    isTruncated: isCut || isTruncated(diff),
    isSame: older === newer,
  }
}

function isTruncated({ entries, overflow }: Diff): boolean {
  return overflow || entries.some(({ collapsed }) => collapsed)
}

/**
 * Finds the best common ancestor of some refs.
 * @throws DomainError `bad_request` for fewer than two refs and for unknown ones, `not_found` when
 * they share no history.
 */
export async function requireBase(
  app: App,
  project: SourceRepository,
  refs: readonly string[],
): Promise<Commit> {
  if (refs.length < 2) throw badRequest('Provide at least 2 refs')
  const oids = await Promise.all(refs.map((ref) => resolveRef(app, project, ref)))
  const unknown = refs.filter((_, index) => oids[index] === undefined)
  if (unknown.length > 0) throw badRequest(`Could not find ref: ${unknown.join(', ')}`)
  const repository = repositoryOf(app, project)
  const known = oids.filter((oid) => oid !== undefined)
  const base = await findCommonAncestor(app.git, repository, known)
  const commit = base && (await readCommit(app.git, repository, base))
  if (!commit) throw notFound('Merge Base')
  return commit
}
