import { sql } from 'kysely'
import type { Queries } from './queries/queries.ts'

/** Bytes of the database, without the write-ahead log. One query. */
export async function readDatabaseSize(q: Queries): Promise<number> {
  const row = await q.first('database.size', {}, () =>
    q.dialect === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{
          bytes: number
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  )
  return row?.bytes ?? 0
}
