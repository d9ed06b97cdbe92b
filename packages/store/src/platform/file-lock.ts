import BetterSqlite from 'better-sqlite3'

/** Held until it is released, or its process ends for any reason: no stale lock remains. */
export interface FileLock {
  release: () => void
}

/**
 * Acquires a lock that no other process can hold at the same time, by the file at `path`.
 * @returns undefined if another process holds it, alone or shared.
 */
export function acquireLock(path: string): FileLock | undefined {
  return lock(path, ['begin exclusive'])
}

/**
 * Acquires a lock that other processes can hold at the same time, but none alone, by the file at
 * `path`.
 * @returns undefined if another process holds it alone.
 */
export function acquireSharedLock(path: string): FileLock | undefined {
  // The first read of a transaction takes the lock.
  return lock(path, ['begin', 'select count(*) from sqlite_master'])
}

// SQLite's file locks are the one portable kernel lock available here; the database stays empty.
function lock(path: string, statements: readonly string[]): FileLock | undefined {
  const database = new BetterSqlite(path, { timeout: 0 })
  try {
    database.pragma('journal_mode = MEMORY')
    for (const statement of statements) database.exec(statement)
  } catch (error) {
    database.close()
    if (error instanceof BetterSqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      return undefined
    }
    throw error
  }
  return { release: () => database.close() }
}
