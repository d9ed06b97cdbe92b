import type { Queries } from '../queries/queries.ts'
import { migrations } from './index.ts'

/** The migrations that the database lacks, by name. Reads the database itself. One query. */
export async function listPendingMigrations(q: Queries): Promise<string[]> {
  const rows = await q.all('migration.applied', {}, (db) =>
    db.selectFrom('schema_migrations').select('name'),
  )
  const applied = new Set(rows.map(({ name }) => name))
  return Object.keys(migrations).filter((name) => !applied.has(name))
}
