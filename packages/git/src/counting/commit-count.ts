import { type Git, type Repository, runIn } from '../git.ts'
import { cacheKey, type HistoryQuery, queryArgs } from '../history/history-query.ts'
import { isOid } from '../reading/object-reader.ts'

/** How many commits a tip had when they were last counted. */
export interface KeptCount {
  tip: string
  count: number
}

const running = new WeakMap<Git, Map<string, Promise<number>>>()

/** The count of a query where it is remembered; nothing is walked. */
export async function rememberedCount(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
): Promise<number | undefined> {
  const key = await cacheKey(git, repository, 'count', queryArgs(query))
  return git.parts.cache.get(key) as number | undefined
}

/**
 * How many commits a query has. Remembered, and counted once for all who ask meanwhile. `kept` gives a count
 * that was kept of another tip, so that only what the two do not share is walked; it is asked only when it
 * is needed, and of use only to a query of a whole history.
 * Throws GitError `not_found`, `timeout`.
 */
export async function countCommits(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
  kept?: () => Promise<KeptCount | undefined>,
): Promise<number> {
  const args = queryArgs(query)
  const key = await cacheKey(git, repository, 'count', args)
  const known = git.parts.cache.get(key) as number | undefined
  if (known !== undefined) return known
  const byKey = running.get(git) ?? new Map<string, Promise<number>>()
  running.set(git, byKey)
  const count = byKey.get(key) ?? walk(git, repository, query, args, kept)
  byKey.set(key, count)
  try {
    git.parts.cache.set(key, await count, 8)
    return await count
  } finally {
    byKey.delete(key)
  }
}

async function walk(
  git: Git,
  repository: Repository,
  query: HistoryQuery,
  args: string[],
  kept: (() => Promise<KeptCount | undefined>) | undefined,
): Promise<number> {
  const base = isWhole(query) ? await kept?.() : undefined
  if (base?.tip === query.tip) return base.count
  const known = base && (await differenceTo(git, repository, query.tip, base))
  if (known !== undefined) return known
  const { stdout } = await runIn(git, repository, ['rev-list', '--count', ...args])
  return Number(stdout.toString())
}

function isWhole({ tip, ...filters }: HistoryQuery): boolean {
  return tip !== 'all' && Object.values(filters).every((value) => !value)
}

/** From a kept count to that of another tip; undefined where the kept tip is no longer there. */
async function differenceTo(
  git: Git,
  repository: Repository,
  tip: string,
  base: KeptCount,
): Promise<number | undefined> {
  if (!isOid(tip) || !isOid(base.tip)) return undefined
  const args = ['rev-list', '--count', '--left-right', `${tip}...${base.tip}`, '--']
  const { stdout, code } = await runIn(git, repository, args, { accept: [128] })
  if (code === 128) return undefined
  const [gained = 0, lost = 0] = stdout.toString().trim().split('\t').map(Number)
  return base.count + gained - lost
}
