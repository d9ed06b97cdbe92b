import Sqlite from 'better-sqlite3'
import { createBuilder } from '../platform/dialect/compilers.ts'
import { createSearchTables } from '../platform/dialect/search-file.ts'
import { describeMigrations } from '../platform/migrations/migrator.ts'
import type { Build } from '../platform/queries/queries.ts'
import { createShapeCache } from '../platform/queries/shape-cache.ts'

/**
 * SQLite's plan of a query, whatever database the tests use: `SEARCH users USING INDEX …`. A list
 * that has its index shows no `USE TEMP B-TREE FOR ORDER BY`.
 */
export async function explainQuery<A extends object>(build: Build<A, unknown>): Promise<string[]> {
  const shape = createShapeCache(createBuilder('sqlite'), false).get('explained', build)
  const database = await emptyDatabase()
  const statement = database.prepare<unknown[], { detail: string }>(
    `explain query plan ${shape.sql}`,
  )
  return statement.all(shape.parameters.map(() => null)).map((step) => step.detail)
}

let empty: Promise<Sqlite.Database> | undefined

/** Shared: explaining changes nothing. */
function emptyDatabase(): Promise<Sqlite.Database> {
  empty ??= describeMigrations('sqlite').then((schema) => {
    const database = new Sqlite(':memory:').exec(schema)
    createSearchTables(database)
    return database
  })
  return empty
}
