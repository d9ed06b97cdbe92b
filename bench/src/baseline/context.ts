import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** What every hand-written row has: the database, and where links lead. */
export interface Context {
  db: Sqlite.Database
  /** The data folder. */
  folder: string
  externalUrl: string
  /** Whether counts are taken for each request, or kept until the stamp of their kind moves. */
  counts: 'each' | 'remembered'
}

/**
 * The database of a data folder, opened as the server opens it for reading. Parameters are written
 * `+?` all over the baseline: SQLite 3.54 parses a statement with a bare `?` beside a join, an order
 * or a limit anew at every execution.
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

/** Takes a count, or answers the kept one where the context says so. */
export function createCounter<Args extends unknown[]>(
  { db, counts }: Context,
  stamp: string,
  take: (...args: Args) => number,
): (...args: Args) => number {
  if (counts === 'each') return take
  const readStamp = db
    .prepare<[string], number>('select version from stamps where name = +?')
    .pluck()
  let kept: { key: string; total: number } | undefined
  return (...args) => {
    const key = `${readStamp.get(stamp)} ${args.join(' ')}`
    if (kept?.key !== key) kept = { key, total: take(...args) }
    return kept.total
  }
}
