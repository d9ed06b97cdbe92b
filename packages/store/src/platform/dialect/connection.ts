import Sqlite from 'better-sqlite3'

/** How a connection to a database file is made. */
export interface ConnectionSetup {
  /** Path, or `:memory:`. */
  file: string
  /** Path of the native addon, if it can't be resolved by name. */
  nativeBinding?: string | undefined
}

/** How long a reader, or a writer of the main thread, waits for another process, in milliseconds. */
export const busyTimeout = 5000

/**
 * What a connection is used for: reads of the main thread, those of other threads, writes, and what
 * is written in threads: the search index, and the trigrams of long texts.
 */
export type ConnectionUse = 'index' | 'read' | 'texts' | 'thread' | 'write'

/**
 * The page cache of a connection in KiB. Threads read long ranges once, from pages that the operating
 * system caches.
 */
const cacheSizes: Readonly<Record<ConnectionUse, number>> = {
  index: 16_000,
  read: 8000,
  texts: 4000,
  thread: 2000,
  write: 4000,
}

/** Opens a connection with the settings that all connections for this use share. */
export function connect(
  { file, nativeBinding }: ConnectionSetup,
  use: ConnectionUse,
): Sqlite.Database {
  const isWriter = use === 'write' || use === 'index' || use === 'texts'
  const connection = new Sqlite(file, {
    // The writer of the main thread waits without blocking it, in `retryWhileBusy`.
    timeout: use === 'write' ? 5 : busyTimeout,
    ...(nativeBinding === undefined ? {} : { nativeBinding }),
  })
  connection.pragma('journal_mode = wal')
  if (use === 'index') {
    // Of what is indexed, a merge leaves little: the log is written back when that has happened.
    connection.pragma('wal_autocheckpoint = 8000')
  } else {
    connection.pragma('synchronous = normal')
    // Commits would run them on this thread.
    connection.pragma('wal_autocheckpoint = 0')
  }
  connection.pragma('foreign_keys = on')
  connection.pragma('temp_store = memory')
  connection.pragma(`cache_size = -${cacheSizes[use]}`)
  if (!isWriter) connection.pragma('query_only = on')
  return connection
}
