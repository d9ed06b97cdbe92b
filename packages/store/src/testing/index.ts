import type { Database, StoreLogger } from '../queries.ts'
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
  /** The clock of remembered counts. */
  now?: (() => number) | undefined
  logger?: StoreLogger | undefined
  /** Without any table: not migrated. */
  empty?: boolean | undefined
}

/** A database that disappears when it is closed; `await using` closes it by itself. */
export interface TestDatabase extends Database, AsyncDisposable {
  /** Opens the same database a second time, as another process would. */
  openAgain(): Promise<Database>
}

/**
 * A migrated, empty database of one's own: SQLite in a temporary file, or, where
 * `STITHY_TEST_DATABASE_URL` names a PostgreSQL server and a database of it, a new database there.
 * Query shapes are checked.
 */
export function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const url = process.env.STITHY_TEST_DATABASE_URL
  return url === undefined || url === ''
    ? openSqliteTestDatabase(options)
    : openPostgresTestDatabase(url, options)
}
