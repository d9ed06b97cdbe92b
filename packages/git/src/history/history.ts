import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { type Commit, parseCommit, parseTag, type Tag } from '../parsing/commit-parser.ts'
import { type CommitStats, parseStats } from '../parsing/stats-parser.ts'
import { isOid, objectInfo, readObject } from '../reading/object-reader.ts'
import { cacheKey, type HistoryQuery, queryArgs } from './history-query.ts'

/** One page of the history. */
export interface HistoryPage extends HistoryQuery {
  skip?: number
  limit: number
  /** Adds `stats` to each commit. */
  withStats?: boolean
}

/** A commit of a list; `stats` if requested. */
export interface ListedCommit extends Commit {
  stats?: CommitStats
}

/** The largest number that git reads. */
const maxSkip = 2 ** 31 - 1

async function listOids(
  git: Git,
  repository: Repository,
  page: HistoryPage,
  args: string[],
): Promise<string[]> {
  const { skip = 0, limit } = page
  // Starts a reader, if there is none, while the history is walked.
  objectInfo(git, repository, page.tip === 'all' ? 'HEAD' : page.tip).catch(() => {})
  const window = [
    `--skip=${Math.min(Math.floor(skip), maxSkip)}`,
    `--max-count=${Math.floor(limit)}`,
  ]
  const { stdout } = await runIn(git, repository, ['rev-list', ...window, ...args])
  return stdout.toString('latin1').split('\n').filter(Boolean)
}

async function readListed(git: Git, repository: Repository, oids: string[]): Promise<Commit[]> {
  const commits = await Promise.all(oids.map((oid) => readCommit(git, repository, oid)))
  return commits.filter((commit) => commit !== undefined)
}

function estimate(commits: Commit[]): number {
  return commits.reduce((sum, { message }) => sum + 1000 + 2 * message.length, 0)
}

/**
 * Lists one page of commits, newest first in git's order. Costs no process after the first call
 * until there is a new commit.
 * @throws GitError `not_found`, `timeout` (60 s).
 */
export async function listCommits(
  git: Git,
  repository: Repository,
  page: HistoryPage,
): Promise<ListedCommit[]> {
  const args = queryArgs(page)
  const kind = `log ${page.skip ?? 0} ${page.limit}`
  const key = await cacheKey(git, repository, kind, args)
  let commits = git.parts.cache.get(key) as Commit[] | undefined
  if (!commits) {
    const oids = await listOids(git, repository, page, args)
    commits = await readListed(git, repository, oids)
    git.parts.cache.set(key, commits, estimate(commits))
  }
  if (!page.withStats) return commits
  const oids = commits.map((commit) => commit.oid)
  const stats = await statsOf(git, repository, oids)
  return commits.map((commit, index) => ({ ...commit, stats: stats[index] ?? noStats }))
}

/** The commit with a full id; undefined if there is none, or the object has another type. */
export async function readCommit(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<Commit | undefined> {
  if (!isOid(oid)) return undefined
  const object = await readObject(git, repository, oid)
  return object?.type === 'commit' ? parseCommit(object.oid, object.content) : undefined
}

/** The annotated tag with a full id; undefined if there is none, or the object has another type. */
export async function readTag(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<Tag | undefined> {
  if (!isOid(oid)) return undefined
  const object = await readObject(git, repository, oid)
  return object?.type === 'tag' ? parseTag(object.oid, object.content) : undefined
}

const noStats: CommitStats = { additions: 0, deletions: 0 }

async function statsOf(git: Git, repository: Repository, oids: string[]): Promise<CommitStats[]> {
  const prefix = `${git.parts.scopeOf(repository.path)}stats `
  const stats = oids.map((oid) => git.parts.cache.get(prefix + oid) as CommitStats | undefined)
  const missing = oids.filter((_, index) => !stats[index])
  if (missing.length === 0) return stats.filter((entry) => entry !== undefined)
  const format = ['--shortstat', '--format=%H', '-M', '--no-ext-diff', '--no-textconv']
  const args = ['log', '--no-walk=unsorted', '--stdin', '--diff-merges=first-parent', ...format]
  const { stdout } = await runIn(git, repository, args, { stdin: `${missing.join('\n')}\n` })
  const fresh = parseStats(stdout.toString('latin1'))
  for (const [oid, entry] of fresh) git.parts.cache.set(prefix + oid, entry, 32)
  return oids.map((oid, index) => stats[index] ?? fresh.get(oid) ?? noStats)
}

/**
 * Lines that a commit added and deleted, against its first parent.
 * @throws GitError `not_found` if there is no such commit.
 */
export async function commitStats(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<CommitStats> {
  if (!(await readCommit(git, repository, oid))) throw new GitError('not_found', `no commit ${oid}`)
  const [stats] = await statsOf(git, repository, [oid])
  return stats ?? noStats
}

/** The newest commit reachable from `oid` that changed a file or a folder. */
export async function lastCommitFor(
  git: Git,
  repository: Repository,
  oid: string,
  path: string,
): Promise<Commit | undefined> {
  const [commit] = await listCommits(git, repository, { tip: oid, path, limit: 1 })
  return commit
}
