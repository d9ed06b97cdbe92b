import { createCountMemory } from './count-memory.ts'
import { createBuilder } from './dialect/compilers.ts'
import type { Core } from './dialect/executor.ts'
import { openPostgres } from './dialect/postgres.ts'
import { openSqlite } from './dialect/sqlite.ts'
import type { Database, DialectName, StoreLogger } from './queries.ts'
import { createShapeCache } from './shape-cache.ts'

/** Where the database is: `url` (`postgres://…`) or `file` (a path, or `:memory:`). */
export interface DatabaseOptions {
  url?: string | undefined
  file?: string | undefined
  /** Told of failures that reach no caller. */
  logger?: StoreLogger | undefined
  /** Builds every query each time and refuses a shape that is built in two ways; for tests. */
  checkShapes?: boolean | undefined
  /** The clock of remembered counts, milliseconds since the epoch. */
  now?: (() => number) | undefined
  /** PostgreSQL: the most connections at a time, 10 if not given. */
  poolSize?: number | undefined
  /** SQLite: the native addon or its path, where it cannot be found by name. */
  nativeBinding?: string | object | undefined
}

const silent: StoreLogger = { error: () => undefined }

/** Opens the database without touching its schema; `migrate()` brings that up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, file } = options
  const counts = createCountMemory(options.now ?? Date.now)
  const logger = options.logger ?? silent
  const check = options.checkShapes ?? false
  if (url !== undefined) {
    const { poolSize } = options
    return openPostgres({ url, poolSize, core: createCore('postgres', check), counts, logger })
  }
  if (file === undefined) throw new TypeError('A database needs a url or a file')
  const { nativeBinding } = options
  return openSqlite({ file, nativeBinding, core: createCore('sqlite', check), counts, logger })
}

function createCore<P>(dialect: DialectName, check: boolean): Core<P> {
  const shapes = createShapeCache<P>(createBuilder(dialect), check)
  return { dialect, shapes, stats: { queries: 0 } }
}
