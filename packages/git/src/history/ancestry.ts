import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { type HistoryQuery, queryArgs } from './history-query.ts'

/** A commit of a range. */
export interface RangeCommit {
  oid: string
  /** How the first line of its message begins: at most `titleColumns` columns of it. */
  title: string
}

const titleColumns = 60

/**
 * The newest commits of a part of the history, at most `limit`: what costs little also for thousands.
 * Throws GitError `not_found` where a commit is missing, `timeout` (60 s).
 */
export async function listRange(
  git: Git,
  repository: Repository,
  query: HistoryQuery & { limit: number },
): Promise<RangeCommit[]> {
  const { limit, ...range } = query
  // A title may be as long as its commit, so git cuts it.
  const format = `--format=%H %<(${titleColumns},trunc)%s`
  const flags = ['--no-mailmap', '--encoding=UTF-8', `--max-count=${Math.floor(limit)}`, format]
  const { stdout } = await runIn(git, repository, ['log', ...flags, ...queryArgs(range)])
  const lines = stdout.toString('utf8').split('\n').filter(Boolean)
  return lines.map((line) => ({ oid: line.slice(0, 40), title: line.slice(41).trimEnd() }))
}

/**
 * Whether a commit is in the history of another, or the same; both by full id. Throws GitError `not_found`
 * where one of the two is missing, `timeout` (60 s).
 */
export async function isAncestor(
  git: Git,
  repository: Repository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  if (!isOid(ancestor) || !isOid(descendant)) {
    throw new GitError('invalid', 'a full object id is needed')
  }
  const args = ['merge-base', '--is-ancestor', ancestor, descendant]
  try {
    return (await runIn(git, repository, args, { accept: [1] })).code === 0
  } catch (error) {
    if (!(error instanceof GitError) || !/Not a valid/.test(error.stderr)) throw error
    throw new GitError('not_found', `no commit ${ancestor} or ${descendant}`, error.stderr)
  }
}

/** Where a commit came in: `tip` has it, `before`, which may be absent, has not; all by full id. */
export interface Arrival {
  commit: string
  tip: string
  before?: string
}

/** First parents that are looked at. */
const maxFirstParents = 10_000

/**
 * The commit by which another came in, found along the first parents of the tip: the merge that brought it,
 * or the commit itself where it is one of them. Undefined where `tip` has not got it, or has had it for
 * longer than 10,000 first parents.
 */
export async function findArrival(
  git: Git,
  repository: Repository,
  { commit, tip, before }: Arrival,
): Promise<string | undefined> {
  const chain = await listRange(git, repository, {
    tip,
    firstParent: true,
    limit: maxFirstParents,
    ...(before === undefined ? {} : { notReachableFrom: before }),
  })
  const has = (oid: string) => isAncestor(git, repository, commit, oid)
  if (chain.some(({ oid }) => oid === commit)) return commit
  // From the newest on, all have it up to the one by which it came in.
  let [low, high] = [0, chain.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await has(chain[middle]?.oid ?? '')) low = middle + 1
    else high = middle
  }
  if (low === maxFirstParents) return undefined
  return chain[low - 1]?.oid
}
