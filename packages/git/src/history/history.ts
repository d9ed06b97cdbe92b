import { renameArgs } from '../diffs/rename-args.ts'
import { type Git, type Repository, runIn } from '../git.ts'
import { GitError, isLimit } from '../git-error.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { type CommitStats, parseStats } from '../parsing/stats-parser.ts'
import { objectInfo } from '../reading/object-reader.ts'
import { readLimits, slowProcess } from '../reading/read-limits.ts'
import { failureOfRead, readSlowly, rememberFailure } from '../reading/slow-read.ts'
import { readCommit, readCommits } from '../reading/text-object.ts'
import { streamIn } from '../stream.ts'
import { cacheKey, type HistoryQuery, queryArgs } from './history-query.ts'

/** One page of the history. */
export interface HistoryPage extends HistoryQuery {
  skip?: number
  limit: number
  /** Adds `stats` to each commit. */
  withStats?: boolean
  /** Milliseconds that counting them may take; default 10,000. */
  statsTimeoutMs?: number
}

/** More than 100 commits have. */
const pageBytes = 1024 ** 3

/** The newest commits of a part of the history. */
export interface NewestCommits {
  commits: Commit[]
  /** Whether there are more. */
  isCut: boolean
}

/** A commit of a list; `stats` if requested, unless counting them exceeds a limit. */
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

function estimate(commits: Commit[]): number {
  return commits.reduce((sum, { message }) => sum + 1000 + 2 * message.length, 0)
}

/** The commits of a page; those from `maxBytes` on are left out. */
async function readPage(
  git: Git,
  repository: Repository,
  page: HistoryPage,
  maxBytes: number,
): Promise<NewestCommits> {
  const args = queryArgs(page)
  const kind = `log ${page.skip ?? 0} ${page.limit} ${maxBytes}`
  const key = await cacheKey(git, repository, kind, args)
  const known = git.parts.cache.get(key) as NewestCommits | undefined
  if (known) return known
  const read = async () => {
    const oids = await listOids(git, repository, page, args)
    const commits = await readCommits(git, repository, oids, maxBytes)
    const found = { commits, isCut: commits.length < oids.length }
    git.parts.cache.set(key, found, estimate(commits))
    return found
  }
  return readSlowly(git, repository, { key, read })
}

/**
 * Lists one page of commits, newest first in git's order. Costs no process after the first call
 * until there is a new commit.
 * @throws GitError `not_found`, `timeout` (60 s), `output_limit` for a commit over
 * `maxObjectBytes`.
 */
export async function listCommits(
  git: Git,
  repository: Repository,
  page: HistoryPage,
): Promise<ListedCommit[]> {
  const { commits } = await readPage(git, repository, page, pageBytes)
  if (!page.withStats) return commits
  const oids = commits.map((commit) => commit.oid)
  const stats = await statsOf(git, repository, oids, page.statsTimeoutMs)
  return commits.map((commit, index) => withStats(commit, stats[index]))
}

/**
 * Lists the newest commits of a part of the history: at most `limit`, and as many as take
 * `maxBytes` together as git stores them. Throws like `listCommits`.
 */
export async function listNewestCommits(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<NewestCommits> {
  const page = { ...query, limit: limit + 1 }
  const { commits, isCut } = await readPage(git, repository, page, maxBytes)
  return { commits: commits.slice(0, limit), isCut: isCut || commits.length > limit }
}

function withStats(commit: Commit, stats: CommitStats | undefined): ListedCommit {
  return stats === undefined ? commit : { ...commit, stats }
}

/** Undefined for commits whose lines can't be counted within the limits. */
async function statsOf(
  git: Git,
  repository: Repository,
  oids: string[],
  timeoutMs: number = readLimits.statsMs,
): Promise<(CommitStats | undefined)[]> {
  const prefix = `${git.parts.scopeOf(repository.path)}stats `
  const stats = oids.map((oid) => git.parts.cache.get(prefix + oid) as CommitStats | undefined)
  const missing = oids.filter(
    (oid, index) => !stats[index] && !failureOfRead(git, repository, `stats ${timeoutMs} ${oid}`),
  )
  if (missing.length === 0) return stats
  const fresh = await readSlowly(git, repository, {
    key: `stats ${timeoutMs} ${missing.join(' ')}`,
    read: () => countLines(git, repository, missing, timeoutMs),
  })
  for (const [oid, entry] of fresh) git.parts.cache.set(prefix + oid, entry, 32)
  return oids.map((oid, index) => stats[index] ?? fresh.get(oid))
}

/** A commit takes a hundred bytes. */
const maxStatsBytes = 1024 * 1024

/** Counts the lines of as many commits as the limits allow; the others are not tried again. */
async function countLines(
  git: Git,
  repository: Repository,
  oids: string[],
  timeoutMs: number,
): Promise<Map<string, CommitStats>> {
  const format = ['--shortstat', '--format=%H', ...renameArgs, '--no-ext-diff', '--no-textconv']
  const args = ['log', '--no-walk=unsorted', '--diff-merges=first-parent', ...format, ...oids, '--']
  const limits = { timeoutMs, maxOutputBytes: maxStatsBytes, limits: slowProcess }
  const chunks: Buffer[] = []
  const parse = () => parseStats(Buffer.concat(chunks).toString('latin1'))
  try {
    for await (const chunk of streamIn(git, repository, args, { ...limits, queued: true })) {
      chunks.push(chunk)
    }
    return parse()
  } catch (error) {
    if (!isLimit(error)) throw error
    const counted = parse()
    // The counts of the last one may be missing.
    counted.delete([...counted.keys()].at(-1) ?? '')
    for (const oid of oids) {
      if (!counted.has(oid)) rememberFailure(git, repository, `stats ${timeoutMs} ${oid}`, error)
    }
    return counted
  }
}

/**
 * Lines that a commit added and deleted, against its first parent; undefined if counting them
 * exceeds a limit.
 * @throws GitError `not_found` if there is no such commit.
 */
export async function commitStats(
  git: Git,
  repository: Repository,
  oid: string,
  timeoutMs?: number,
): Promise<CommitStats | undefined> {
  if (!(await readCommit(git, repository, oid))) throw new GitError('not_found', `no commit ${oid}`)
  const [stats] = await statsOf(git, repository, [oid], timeoutMs)
  return stats
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
