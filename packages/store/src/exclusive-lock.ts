import BetterSqlite from 'better-sqlite3'

export interface ExclusiveLock {
  release: () => void
}

/**
 * Takes a lock that no other process can hold at the same time, by the file at `path`. The operating
 * system frees it when the process ends, however it ends, so no stale lock is ever left behind.
 * @returns undefined when somebody else holds it.
 */
export function acquireLock(path: string): ExclusiveLock | undefined {
  // SQLite's own file locks are the one portable kernel lock within reach; the database stays empty.
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
