import { type Git, type Repository, runIn } from './git.ts'
import { GitError } from './git-error.ts'
import { isOid, objectInfo, readObject } from './object-reader.ts'
import { type Commit, parseCommit, parseTag, type Tag } from './parsing/commit-parser.ts'
import { type CommitStats, parseStats } from './parsing/stats-parser.ts'
import { readRefs } from './reading/ref-snapshot.ts'

/** Which part of the history is meant. */
export interface HistoryQuery {
  /** Full id of the commit to start from, or `all`: every branch and tag. */
  tip: string
  /** Only commits that changed this file or folder. */
  path?: string
  /** Only commits whose committer date is not before, or not after, this instant. */
  since?: Date
  until?: Date
  /** Of a merge follow the first parent alone. */
  firstParent?: boolean
  /** Commits that are reachable from this one are left out. */
  notReachableFrom?: string
}

/** One page of the history. */
export interface HistoryPage extends HistoryQuery {
  skip?: number
  limit: number
  /** Adds `stats` to each commit. */
  withStats?: boolean
}

/** A commit of a list; `stats` where they were asked for. */
export interface ListedCommit extends Commit {
  stats?: CommitStats
}

function seconds(date: Date): number {
  const value = Math.floor(date.getTime() / 1000)
  if (Number.isNaN(value)) throw new GitError('invalid', 'not a date')
  return Math.max(0, value)
}

function queryArgs(query: HistoryQuery): string[] {
  for (const oid of [query.tip, query.notReachableFrom]) {
    if (oid !== undefined && oid !== 'all' && !isOid(oid)) {
      throw new GitError('invalid', 'a full object id is needed')
    }
  }
  const args: string[] = []
  if (query.since) args.push(`--max-age=${seconds(query.since)}`)
  if (query.until) args.push(`--min-age=${seconds(query.until)}`)
  if (query.firstParent) args.push('--first-parent')
  args.push(...(query.tip === 'all' ? ['--branches', '--tags'] : [query.tip]))
  if (query.notReachableFrom) args.push(`^${query.notReachableFrom}`)
  return [...args, '--', ...(query.path ? [query.path] : [])]
}

/** Everything that decides the answer; what it names is immutable, so the answer is too. */
async function cacheKey(git: Git, repository: Repository, kind: string, args: string[]) {
  const scope = git.parts.scopeOf(repository.path)
  const refs = args.includes('--branches') ? (await readRefs(git, repository)).key : ''
  return `${scope}${kind} ${refs} ${args.join('\0')}`
}

async function listOids(
  git: Git,
  repository: Repository,
  page: HistoryPage,
  args: string[],
): Promise<string[]> {
  const { skip = 0, limit } = page
  // Starts a reader, where there is none, while the history is walked.
  objectInfo(git, repository, page.tip === 'all' ? 'HEAD' : page.tip).catch(() => {})
  const window = [`--skip=${Math.floor(skip)}`, `--max-count=${Math.floor(limit)}`]
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
 * One page of commits, newest first as git walks them. Without a new commit it costs no process
 * once it was asked for. Throws GitError `not_found`, `timeout` (60 s).
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

/** How many commits a query has. Cached like `listCommits`. */
export async function countCommits(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
): Promise<number> {
  const args = queryArgs(query)
  const key = await cacheKey(git, repository, 'count', args)
  const known = git.parts.cache.get(key) as number | undefined
  if (known !== undefined) return known
  const { stdout } = await runIn(git, repository, ['rev-list', '--count', ...args])
  const count = Number(stdout.toString())
  git.parts.cache.set(key, count, 8)
  return count
}

/** The commit of a full id; undefined when there is none, or the object is of another type. */
export async function readCommit(
  git: Git,
  repository: Repository,
  oid: string,
): Promise<Commit | undefined> {
  if (!isOid(oid)) return undefined
  const object = await readObject(git, repository, oid)
  return object?.type === 'commit' ? parseCommit(object.oid, object.content) : undefined
}

/** The annotated tag of a full id; undefined when there is none, or the object is no tag. */
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
 * Lines that a commit added and deleted, against its first parent. Throws GitError `not_found`
 * when there is no such commit.
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

/** The newest commit, from `oid` backwards, that changed a file or a folder. */
export async function lastCommitFor(
  git: Git,
  repository: Repository,
  oid: string,
  path: string,
): Promise<Commit | undefined> {
  const [commit] = await listCommits(git, repository, { tip: oid, path, limit: 1 })
  return commit
}

/**
 * The best common ancestor of two commits, by full ids; undefined when they share no history.
 */
export async function findMergeBase(
  git: Git,
  repository: Repository,
  one: string,
  other: string,
): Promise<string | undefined> {
  if (!isOid(one) || !isOid(other)) throw new GitError('invalid', 'a full object id is needed')
  const key = `${git.parts.scopeOf(repository.path)}base ${one} ${other}`
  const known = git.parts.cache.get(key) as string | undefined
  if (known !== undefined) return known || undefined
  const args = ['merge-base', one, other]
  const { stdout } = await runIn(git, repository, args, { accept: [1] })
  const base = stdout.toString('latin1').trim()
  git.parts.cache.set(key, base, 80)
  return base || undefined
}
