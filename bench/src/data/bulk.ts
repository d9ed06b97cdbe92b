import type Sqlite from 'better-sqlite3'

interface Definition {
  type: 'index' | 'trigger'
  name: string
  sql: string
}

/**
 * Fills tables without their indexes and triggers, which are created again afterwards: building the
 * index of ten million rows at once takes seconds, maintaining it row by row many minutes.
 */
export function inBulk(db: Sqlite.Database, tables: readonly string[], fill: () => void): void {
  const find = db.prepare<[string], Definition>(
    `select type, name, sql from sqlite_master
     where tbl_name = ? and type in ('index', 'trigger') and sql is not null`,
  )
  const definitions = tables.flatMap((table) => find.all(table))
  for (const { type, name } of definitions) db.exec(`drop ${type} "${name}"`)
  fill()
  for (const { sql } of definitions) db.exec(sql)
}
