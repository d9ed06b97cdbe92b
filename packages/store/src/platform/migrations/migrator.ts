import {
  type CompiledQuery,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { StoreError } from '../errors.ts'
import type { DialectName } from '../queries/queries.ts'
import { migrations } from './index.ts'
import type { RunSql } from './run-sql.ts'

interface AppliedMigrations {
  schema_migrations: { name: string; appliedAt: number }
}

/** An arbitrary key for PostgreSQL's advisory locks. */
const migrationLock = 7_483_920_115

/**
 * Applies the pending migrations in one transaction and returns their names. A second process waits
 * for the first.
 * @throws StoreError `newer` if the database has an unknown migration.
 */
export function migrate(
  dialect: DialectName,
  inTransaction: <T>(work: (run: RunSql) => Promise<T>) => Promise<T>,
): Promise<string[]> {
  return inTransaction(async (run) => {
    if (dialect === 'postgres') await run(`select pg_advisory_xact_lock(${migrationLock})`, [])
    const db = executing<AppliedMigrations>(dialect, run)
    const schema = executing<unknown>(dialect, run)
    const pending = await findPending(db)
    for (const [name, migration] of pending) {
      await migration(schema, dialect)
      const row = { name, appliedAt: Date.now() }
      await db.insertInto('schema_migrations').values(row).execute()
    }
    return pending.map(([name]) => name)
  })
}

async function findPending(db: Kysely<AppliedMigrations>) {
  await db.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('appliedAt', 'bigint', (column) => column.notNull())
    .execute()
  const rows = await db.selectFrom('schema_migrations').select('name').orderBy('name').execute()
  const applied = new Set(rows.map((row) => row.name))
  const known = Object.entries(migrations)
  const unknown = [...applied].filter((name) => !(name in migrations))
  if (unknown.length > 0) {
    throw new StoreError(
      'newer',
      'The database was written by a newer version of the program ' +
        `(it has ${unknown.join(', ')}): run that version, or restore ` +
        'a backup made before its first start.',
    )
  }
  return known.filter(([name]) => !applied.has(name))
}

/** The statements of every migration, in order, as one text that changes when any of them does. */
export async function describeMigrations(dialect: DialectName): Promise<string> {
  const texts: string[] = []
  const db = executing<unknown>(dialect, async (text) => {
    texts.push(text)
    return []
  })
  for (const migration of Object.values(migrations)) await migration(db, dialect)
  return texts.join(';\n')
}

/**
 * A Kysely instance that executes through `run`, so that migrations are written as in Kysely's
 * manual.
 */
function executing<DB>(dialect: DialectName, run: RunSql): Kysely<DB> {
  const sqlite = dialect === 'sqlite'
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => (sqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => driverOver(run),
      createIntrospector: (db) =>
        sqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
      createQueryCompiler: () => (sqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
  })
}

function driverOver(run: RunSql): Driver {
  const refuse = () => Promise.reject(new Error('A migration runs in one transaction'))
  return {
    init: async () => undefined,
    acquireConnection: async () => ({
      async executeQuery<R>(query: CompiledQuery) {
        return { rows: (await run(query.sql, query.parameters)) as R[] }
      },
      streamQuery() {
        throw new Error('A migration cannot stream')
      },
    }),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
}
