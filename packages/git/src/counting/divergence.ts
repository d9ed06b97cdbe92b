import { setTimeout as delay } from 'node:timers/promises'
import { type Git, type Repository, runIn } from '../git.ts'
import { GitError, isLimit } from '../git-error.ts'
import { createRangeWalker } from '../history/range-walk.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'

/** Commits that only one of two has in its history. */
export interface Divergence {
  ahead: number
  behind: number
}

/** Limits of counting. */
export interface DivergenceLimits {
  /** Milliseconds that a caller waits; counting goes on for the next one. */
  waitMs: number
  /** Milliseconds after which git is killed. */
  timeoutMs: number
}

/** What is read in process, for all tips together. */
const walkLimits = { visits: 5000, steps: 50_000 }

/**
 * Counts for each tip the commits that it has and `base` lacks, and the other way round; all by full
 * ids. Undefined for those that were not counted in time. Cached by the two ids; a tip that is far
 * from the base costs one process.
 */
export async function countDivergence(
  git: Git,
  repository: Repository,
  base: string,
  tips: readonly string[],
  { waitMs, timeoutMs }: DivergenceLimits,
): Promise<(Divergence | undefined)[]> {
  if (!isOid(base) || !tips.every(isOid)) {
    throw new GitError('invalid', 'full object ids are required')
  }
  const counts = new Map<string, Divergence>([[base, { ahead: 0, behind: 0 }]])
  const walk = createRangeWalker(git, repository, walkLimits)
  const count = async (tip: string) => {
    const key = `${git.parts.scopeOf(repository.path)}divergence ${base} ${tip}`
    const known = git.parts.cache.get(key) as Divergence | undefined
    const found = known ?? (await countOne(git, repository, walk, { base, tip, timeoutMs }))
    if (found === undefined) return
    if (known === undefined) git.parts.cache.set(key, found, 100)
    counts.set(tip, found)
  }
  const waiting = new AbortController()
  const late = delay(waitMs, undefined, { signal: waiting.signal }).catch(() => {})
  const missing = [...new Set(tips)].filter((tip) => tip !== base)
  await Promise.race([Promise.all(missing.map(count)), late])
  waiting.abort()
  return tips.map((tip) => counts.get(tip))
}

interface Pair {
  base: string
  tip: string
  timeoutMs: number
}

async function countOne(
  git: Git,
  repository: Repository,
  walk: ReturnType<typeof createRangeWalker>,
  { base, tip, timeoutMs }: Pair,
): Promise<Divergence | undefined> {
  const ahead = await walk({ tip, notReachableFrom: base })
  const behind = ahead && (await walk({ tip: base, notReachableFrom: tip }))
  if (ahead && behind) return { ahead: ahead.length, behind: behind.length }
  const args = ['rev-list', '--count', '--left-right', `${tip}...${base}`, '--']
  const read = (signal: AbortSignal) =>
    runIn(git, repository, args, { timeoutMs, signal, limits: slowProcess })
  try {
    const { stdout } = await readSlowly(git, repository, { key: args.join(' '), read })
    const [gained = 0, lost = 0] = stdout.toString().trim().split('\t').map(Number)
    return { ahead: gained, behind: lost }
  } catch (error) {
    if (!isLimit(error)) throw error
    return undefined
  }
}
