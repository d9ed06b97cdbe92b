import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { type HistoryQuery, queryArgs } from './history-query.ts'
import { type CommitRange, createRangeWalker } from './range-walk.ts'

/** A commit of a range. */
export interface RangeCommit {
  oid: string
  /** The start of the first line of its message: at most `titleColumns` columns. */
  title: string
}

const titleColumns = 60

/**
 * Lists the newest commits of a range, at most `limit`; cheap even for thousands.
 * @throws GitError `not_found` if a commit is missing, `timeout` (60 s).
 */
export async function listRange(
  git: Git,
  repository: Repository,
  query: HistoryQuery & { limit: number },
): Promise<RangeCommit[]> {
  const { limit, ...range } = query
  // A title may be as long as its commit, so git truncates it.
  const format = `--format=%H %<(${titleColumns},trunc)%s`
  const flags = ['--no-mailmap', '--encoding=UTF-8', `--max-count=${Math.floor(limit)}`, format]
  const { stdout } = await runIn(git, repository, ['log', ...flags, ...queryArgs(range)])
  const lines = stdout.toString('utf8').split('\n').filter(Boolean)
  return lines.map((line) => ({ oid: line.slice(0, 40), title: line.slice(41).trimEnd() }))
}

/**
 * Lists the ids of the newest commits of a range, at most `limit`. No process if the two ends are
 * close.
 * @throws GitError `not_found` if a commit is missing, `timeout` (60 s).
 */
export async function listRangeIds(
  git: Git,
  repository: Repository,
  { limit, ...range }: CommitRange & { limit: number },
): Promise<string[]> {
  const args = queryArgs(range)
  const walked = await createRangeWalker(git, repository)(range)
  if (walked !== undefined) return walked.slice(0, limit)
  const flags = [`--max-count=${Math.floor(limit)}`]
  const { stdout } = await runIn(git, repository, ['rev-list', ...flags, ...args])
  return stdout.toString('latin1').split('\n').filter(Boolean)
}

/** Commits that are far apart should not cost much more than the process that finds that out. */
const closeLimits = { visits: 64, steps: 500 }

/** `isAncestor` without a process; undefined if the two are not close, or one is missing. */
export async function isCloseAncestor(
  git: Git,
  repository: Repository,
  ancestor: string,
  descendant: string,
): Promise<boolean | undefined> {
  const walk = createRangeWalker(git, repository, closeLimits)
  const missing = await walk({ tip: ancestor, notReachableFrom: descendant })
  return missing && missing.length === 0
}

/**
 * Whether a commit is an ancestor of another, or the same; both by full id. No process if the two
 * are close.
 * @throws GitError `not_found` if one of the two is missing, `timeout` (60 s).
 */
export async function isAncestor(
  git: Git,
  repository: Repository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (!isOid(ancestor) || !isOid(descendant)) {
    throw new GitError('invalid', 'a full object id is required')
  }
  const known = await isCloseAncestor(git, repository, ancestor, descendant)
  if (known !== undefined) return known
  const args = ['merge-base', '--is-ancestor', ancestor, descendant]
  try {
    return (await runIn(git, repository, args, { accept: [1] })).code === 0
  } catch (error) {
    if (!(error instanceof GitError) || !/Not a valid/.test(error.stderr)) throw error
    throw new GitError('not_found', `no commit ${ancestor} or ${descendant}`, error.stderr)
  }
}

/**
 * A commit to locate: `tip` reaches it, `before`, which may be absent, does not; all by full id.
 */
export interface MergeQuery {
  commit: string
  tip: string
  before?: string
}

/** The maximum number of first parents to search. */
const maxFirstParents = 10_000

/**
 * Finds the commit that introduced another, along the first parents of the tip: the merge that
 * brought it, or the commit itself if it is one of them. Undefined if `tip` doesn't reach it, or
 * has reached it for more than 10,000 first parents.
 */
export async function findMergeOf(
  git: Git,
  repository: Repository,
  { commit, tip, before }: MergeQuery,
): Promise<string | undefined> {
  const chain = await listRange(git, repository, {
    tip,
    firstParent: true,
    limit: maxFirstParents,
    ...(before === undefined ? {} : { notReachableFrom: before }),
  })
  const has = (oid: string) => isAncestor(git, repository, commit, oid)
  if (chain.some(({ oid }) => oid === commit)) return commit
  // Starting from the newest, all reach it down to the commit that introduced it.
  let [low, high] = [0, chain.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await has(chain[middle]?.oid ?? '')) low = middle + 1
    else high = middle
  }
  if (low === maxFirstParents) return undefined
  return chain[low - 1]?.oid
}
