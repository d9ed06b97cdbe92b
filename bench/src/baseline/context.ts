import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** What every hand-written row uses: the database, and the base URL of links. */
export interface Context {
  db: Sqlite.Database
  /** The data folder. */
  folder: string
  externalUrl: string
  /** Whether lists are counted for each request, or cached until their stamp changes. */
  counts: 'each' | 'remembered'
}

/**
 * Opens the database of a data folder, as the server opens it for reading. Parameters are written
 * `+?` throughout the baseline: SQLite 3.54 parses a statement with a bare `?` beside a join, an
 * order or a limit again at every execution.
 */
export function openContext(env: Readonly<Record<string, string | undefined>>): Context {
  const folder = env.BENCH_DATA ?? ''
  const db = new Sqlite(join(folder, 'stithy.db'), { readonly: true })
  db.pragma('cache_size = -16000')
  db.pragma('mmap_size = 33554432')
  db.pragma('temp_store = memory')
  const counts = env.BENCH_COUNTS === 'each' ? 'each' : 'remembered'
  return { db, folder, externalUrl: env.BENCH_EXTERNAL_URL ?? '', counts }
}

/** Counts, or returns the cached count, depending on the context. */
export function createCounter<Args extends unknown[]>(
  { db, counts }: Context,
  stamp: string | readonly string[],
  take: (...args: Args) => number,
): (...args: Args) => number {
  if (counts === 'each') return take
  const stamps = typeof stamp === 'string' ? [stamp] : stamp
  const readStamp = db
    .prepare<string[], number>(
      `select sum(version) from stamps where name in (${stamps.map(() => '+?').join(', ')})`,
    )
    .pluck()
  let cached: { key: string; total: number } | undefined
  return (...args) => {
    const key = `${readStamp.get(...stamps)} ${args.join(' ')}`
    if (cached?.key !== key) cached = { key, total: take(...args) }
    return cached.total
  }
}
