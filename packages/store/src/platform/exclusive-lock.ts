import BetterSqlite from 'better-sqlite3'

export interface ExclusiveLock {
  release: () => void
}

/**
 * Acquires a lock that no other process can hold at the same time, by the file at `path`. The
 * operating system releases it when the process ends for any reason, so no stale lock remains.
 * @returns undefined if another process holds it.
 */
export function acquireLock(path: string): ExclusiveLock | undefined {
  // SQLite's file locks are the one portable kernel lock available here; the database stays empty.
  const database = new BetterSqlite(path, { timeout: 0 })
  try {
    database.pragma('journal_mode = MEMORY')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof BetterSqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      return undefined
    }
    throw error
  }
  return { release: () => database.close() }
}
