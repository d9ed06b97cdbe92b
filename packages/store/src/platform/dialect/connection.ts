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

/** Opens a connection with the settings that all connections for this use share. */
export function connect(
  { file, nativeBinding }: ConnectionSetup,
  use: 'read' | 'write',
): Sqlite.Database {
  const connection = new Sqlite(file, {
    // A writer waits without blocking the process, in `retryWhileBusy`.
    timeout: use === 'read' ? busyTimeout : 5,
    ...(nativeBinding === undefined ? {} : { nativeBinding }),
  })
  connection.pragma('journal_mode = wal')
  connection.pragma('synchronous = normal')
  // Commits would run them on this thread.
  connection.pragma('wal_autocheckpoint = 0')
  connection.pragma('foreign_keys = on')
  connection.pragma('temp_store = memory')
  connection.pragma(`cache_size = ${use === 'read' ? -16_000 : -4000}`)
  connection.pragma(`mmap_size = ${use === 'read' ? 32 * 1024 * 1024 : 0}`)
  if (use === 'read') connection.pragma('query_only = on')
  return connection
}
