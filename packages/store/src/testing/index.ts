import type { Database, StoreLogger } from '../platform/queries/queries.ts'
import { openPostgresTestDatabase } from './postgres.ts'
import { openSqliteTestDatabase } from './sqlite.ts'

export { explainQuery } from './explain.ts'
export {
  buildMember,
  buildNamespace,
  buildProject,
  buildShare,
  buildUser,
  insertRow,
  someTime,
} from './factories.ts'
export { findOrphans } from './orphans.ts'
export { runText, writeText } from './run-text.ts'
export { findWrongCounts } from './wrong-counts.ts'

export interface TestDatabaseOptions {
  /** The clock of cached counts. */
  now?: (() => number) | undefined
  logger?: StoreLogger | undefined
  /** Not migrated, so without any table. */
  empty?: boolean | undefined
}

/** A database that is removed when it is closed; `await using` closes it. */
export interface TestDatabase extends Database, AsyncDisposable {
  /** Where other processes find it; undefined on SQLite. */
  url?: string
  /** Opens the same database a second time, as another process would. */
  openAgain(): Promise<Database>
}

/**
 * A migrated, empty database for one test: SQLite in a temporary file or, if
 * `STITHY_TEST_DATABASE_URL` names a database of a PostgreSQL server, a new database there. Query
 * shapes are checked.
 */
export function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const url = process.env.STITHY_TEST_DATABASE_URL
  return url === undefined || url === ''
    ? openSqliteTestDatabase(options)
    : openPostgresTestDatabase(url, options)
}
