import { createBuilder } from './dialect/compilers.ts'
import type { ThreadScripts } from './dialect/database-thread.ts'
import type { Core } from './dialect/executor.ts'
import { openSqlite, type SqliteOptions } from './dialect/sqlite.ts'
import type { SyncFile } from './dialect/wal-sync.ts'
import { createCountCache } from './queries/count-cache.ts'
import type { Database, DialectName, Durability, StoreLogger } from './queries/queries.ts'
import { createShapeCache } from './queries/shape-cache.ts'

/** The location of the database: `url` (`postgres://…`) or `file` (a path, or `:memory:`). */
export interface DatabaseOptions {
  url?: string | undefined
  file?: string | undefined
  /** Logs failures that reach no caller. */
  logger?: StoreLogger | undefined
  /** Builds every query on each use and rejects a shape that is built in two ways; for tests. */
  checkShapes?: boolean | undefined
  /** The clock of cached counts, milliseconds since the epoch. */
  now?: (() => number) | undefined
  /** PostgreSQL: the maximum number of connections; default 10. */
  poolSize?: number | undefined
  /** What survives a power failure; default `disk`. */
  durability?: Durability | undefined
  /** SQLite: the path of the native addon, if it can't be resolved by name. */
  nativeBinding?: string | undefined
  /** SQLite: the paths of the bundled workers; default: those of this package. */
  threadScripts?: ThreadScripts | undefined
  /** SQLite: replaces a damaged search index; for a process that no other one is beside. */
  checkSearchIndex?: boolean | undefined
  /** SQLite: replaces `fdatasync` of the write-ahead log, for tests. */
  syncFile?: SyncFile | undefined
}

const silent: StoreLogger = { error: () => undefined, warn: () => undefined }

/** Opens the database without touching its schema; `migrate()` updates that. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, file } = options
  const counts = createCountCache(options.now ?? Date.now)
  const logger = options.logger ?? silent
  const check = options.checkShapes ?? false
  const durability = options.durability ?? 'disk'
  if (url !== undefined) {
    const { poolSize } = options
    const core = createCore<string>('postgres', check)
    // With its driver, which SQLite does without.
    const { openPostgres } = await import('./dialect/postgres.ts')
    return openPostgres({ url, poolSize, durability, core, counts, logger })
  }
  if (file === undefined) throw new TypeError('A database needs a url or a file')
  const { nativeBinding, threadScripts, syncFile, checkSearchIndex = false } = options
  const core: SqliteOptions['core'] = createCore('sqlite', check)
  const paths = { file, nativeBinding, threadScripts }
  return openSqlite({ ...paths, durability, syncFile, checkSearchIndex, core, counts, logger })
}

function createCore<P>(dialect: DialectName, check: boolean): Core<P> {
  const shapes = createShapeCache<P>(createBuilder(dialect), check)
  return {
    dialect,
    shapes,
    stats: { queries: 0 },
    jobs: { listener: () => {} },
    notifications: { listener: () => {} },
  }
}
