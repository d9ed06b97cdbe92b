import { badRequest, notFound } from '@stithy/core'
import {
  type Commit,
  type Diff,
  diffRange,
  findCommonAncestor,
  findMergeBase,
  listCommits,
  readCommit,
} from '@stithy/git'
import type { App } from '../../app.ts'
import { type CodePlace, repositoryOf, resolveRef } from '../repository.service.ts'
import type { FoundComparison } from './found-comparison.ts'

/** What is compared: branches, tags or commits. */
export interface CompareRequest {
  from: string
  to: string
  /** Diff from `from` itself rather than from where the two parted. */
  straight?: boolean | undefined
}

/**
 * The commits that `to` has and `from` has not, and the diff. Two that share no history are compared
 * as they are.
 * @throws DomainError `not_found` for an unknown ref.
 */
export async function compareRefs(
  app: App,
  place: CodePlace,
  { from, to, straight = false }: CompareRequest,
  signal: AbortSignal,
): Promise<FoundComparison> {
  const [older, newer] = await Promise.all([from, to].map((ref) => resolveRef(app, place, ref)))
  if (older === undefined || newer === undefined) throw notFound('Ref')
  const repository = repositoryOf(app, place)
  const base = straight ? older : await findMergeBase(app.git, repository, older, newer)
  const { compare, diff: bounds } = app.config.codeLimits
  const page = { tip: newer, notReachableFrom: older, limit: compare.maxCommits + 1 }
  const commits = await listCommits(app.git, repository, page)
  const limits = { ...bounds, maxFiles: compare.maxFiles, partial: true, signal }
  const diff = await diffRange(app.git, repository, base ?? older, newer, limits)
  return {
    commits: commits.slice(0, compare.maxCommits).toReversed(),
    diff,
    isCut: commits.length > compare.maxCommits || isCut(diff),
    isSame: older === newer,
  }
}

function isCut({ entries, overflow }: Diff): boolean {
  return overflow || entries.some(({ collapsed }) => collapsed)
}

/**
 * The best common ancestor of all of some refs.
 * @throws DomainError `bad_request` for fewer than two refs and for unknown ones, `not_found` where
 * they share no history.
 */
export async function requireBase(
  app: App,
  place: CodePlace,
  refs: readonly string[],
): Promise<Commit> {
  if (refs.length < 2) throw badRequest('At least two refs are needed')
  const oids = await Promise.all(refs.map((ref) => resolveRef(app, place, ref)))
  const unknown = refs.filter((_, index) => oids[index] === undefined)
  if (unknown.length > 0) throw badRequest(`Could not find ref: ${unknown.join(', ')}`)
  const repository = repositoryOf(app, place)
  const known = oids.filter((oid) => oid !== undefined)
  const base = await findCommonAncestor(app.git, repository, known)
  const commit = base && (await readCommit(app.git, repository, base))
  if (!commit) throw notFound('Merge Base')
  return commit
}
