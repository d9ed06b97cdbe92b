import { sql } from 'kysely'
import type { Tools } from '../tools.ts'

/**
 * The search index on PostgreSQL; SQLite has it in a file of its own (`dialect/search-file.ts`).
 * The texts are in lower case, and stored as long as they are indexed.
 */
export async function createSearchIndex(t: Tools): Promise<void> {
  if (t.dialect === 'sqlite') return
  await t.table('searchSources', {
    id: t.id(),
    projectId: t.long(),
    kind: t.text(),
    revision: t.textOrNull(),
    target: t.textOrNull(),
    version: t.long(0),
  })
  await t.unique('searchSources', 'projectId', 'kind')
  await t.table('searchBlocks', {
    id: t.id(),
    sourceId: t.long(),
    holds: t.text(),
    used: t.int(0),
  })
  await t.index('searchBlocks', 'sourceId', 'holds', 'id')
  const entry = { id: t.long(), sourceId: t.long() }
  await t.table('searchFiles', { ...entry, path: t.text(), oid: t.text() }, ['id'])
  await t.table('searchCommits', { ...entry, oid: t.text() }, ['id'])
  await t.unique('searchCommits', 'sourceId', 'oid')
  await t.index('searchCommits', 'oid')
  await t.unique('searchFiles', 'sourceId', 'path')
  for (const name of ['searchPaths', 'searchTexts', 'searchMessages']) {
    await t.table(name, { rowid: t.long(), text: t.text() }, ['rowid'])
    await sql`create index ${sql.ref(`${name}_text_trigrams`)} on ${sql.table(name)}
      using gin ("text" gin_trgm_ops)`.execute(t.db)
  }
}
