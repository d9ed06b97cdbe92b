import { type Git, type Repository, runIn } from '../git.ts'
import { cacheKey, type HistoryQuery, queryArgs } from '../history/history-query.ts'
import { createRangeWalker } from '../history/range-walk.ts'
import { isOid } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'

/** The number of commits of a tip when they were last counted. */
export interface StoredCommitCount {
  tip: string
  count: number
}

/** The cached count of a query, without walking the history. */
export async function cachedCount(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
): Promise<number | undefined> {
  const key = await cacheKey(git, repository, 'count', queryArgs(query))
  return git.parts.cache.get(key) as number | undefined
}

/**
 * Counts the commits of a query. Cached, and concurrent callers share one walk. `stored` returns a
 * count stored for another tip, so that only the difference of the two is walked; it is called only
 * if it is needed, and is used only for a query of a whole history.
 * @throws GitError `not_found`, `timeout`.
 */
export async function countCommits(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
  stored?: () => Promise<StoredCommitCount | undefined>,
): Promise<number> {
  const args = queryArgs(query)
  const key = await cacheKey(git, repository, 'count', args)
  const known = git.parts.cache.get(key) as number | undefined
  if (known !== undefined) return known
  const read = () => walk(git, repository, query, args, stored)
  const count = await readSlowly(git, repository, { key, read })
  git.parts.cache.set(key, count, 8)
  return count
}

async function walk(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
  args: string[],
  stored: (() => Promise<StoredCommitCount | undefined>) | undefined,
): Promise<number> {
  const base = isWhole(query) ? await stored?.() : undefined
  if (base?.tip === query.tip) return base.count
  const known = base && (await differenceTo(git, repository, query.tip, base))
  if (known !== undefined) return known
  const { stdout } = await runIn(git, repository, ['rev-list', '--count', ...args])
  return Number(stdout.toString())
}

function isWhole({ tip, ...filters }: HistoryQuery): boolean {
  return tip !== 'all' && Object.values(filters).every((value) => !value)
}

/** From a stored count to that of another tip; undefined if the stored tip no longer exists. */
async function differenceTo(
  git: Git,
  repository: Repository,
  tip: string,
  base: StoredCommitCount,
): Promise<number | undefined> {
  if (!isOid(tip) || !isOid(base.tip)) return undefined
  const list = createRangeWalker(git, repository)
  const added = await list({ tip, notReachableFrom: base.tip })
  const removed = added && (await list({ tip: base.tip, notReachableFrom: tip }))
  if (added && removed) return base.count + added.length - removed.length
  const args = ['rev-list', '--count', '--left-right', `${tip}...${base.tip}`, '--']
  const { stdout, code } = await runIn(git, repository, args, { accept: [128] })
  if (code === 128) return undefined
  const [gained = 0, lost = 0] = stdout.toString().trim().split('\t').map(Number)
  return base.count + gained - lost
}
