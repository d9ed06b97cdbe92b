import { type Kysely, sql } from 'kysely'
import type { Tools } from '../tools.ts'

/**
 * Finds issues and merge requests by any part of a word in their title or description: on SQLite a
 * trigram table over the two columns, maintained by triggers; on PostgreSQL the `pg_trgm`
 * extension.
 */
export async function createTextSearch({ db, dialect }: Tools): Promise<void> {
  if (dialect === 'sqlite') {
    await createTrigramTable(db, 'issues', 'issueTexts')
    await createTrigramTable(db, 'mergeRequests', 'mergeRequestTexts')
    return
  }
  await createExtension(db)
  await createTrigramIndices(db, 'issues')
  await createTrigramIndices(db, 'mergeRequests')
}

async function createTrigramTable(
  db: Kysely<unknown>,
  itemTable: string,
  textTable: string,
): Promise<void> {
  const items = sql.table(itemTable)
  const texts = sql.table(textTable)
  const trigger = (event: string) => sql.ref(`${itemTable}_texts_${event}`)
  await sql`create virtual table ${texts} using fts5(
    "title", "description", content=${sql.lit(itemTable)}, content_rowid='id', tokenize='trigram'
  )`.execute(db)
  // Merging all of 16 small segments at once, the default, holds the writer up to a quarter of a
  // second; merging a few pages with each write suffices.
  await sql`insert into ${texts} (${texts}, rank) values ('crisismerge', 64)`.execute(db)
  const add = sql`insert into ${texts} (rowid, "title", "description")
    values (new."id", new."title", new."description");`
  const remove = sql`insert into ${texts} (${texts}, rowid, "title", "description")
    values ('delete', old."id", old."title", old."description");`
  await sql`create trigger ${trigger('insert')} after insert on ${items} begin ${add} end`.execute(
    db,
  )
  await sql`create trigger ${trigger('delete')} after delete on ${items} begin ${remove} end`.execute(
    db,
  )
  await sql`create trigger ${trigger('update')} after update of "title", "description" on ${items}
    when old."title" is not new."title" or old."description" is not new."description"
    begin ${remove} ${add} end`.execute(db)
}

async function createExtension(db: Kysely<unknown>): Promise<void> {
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
  } catch (error) {
    throw new Error(
      'The database needs the extension pg_trgm, and its user may not add it. Run ' +
        '"create extension pg_trgm" in it as an administrator, and start again.',
      { cause: error },
    )
  }
}

async function createTrigramIndices(db: Kysely<unknown>, itemTable: string): Promise<void> {
  for (const column of ['title', 'description']) {
    await sql`create index ${sql.ref(`${itemTable}_${column}_trigrams`)} on ${sql.table(itemTable)}
      using gin (lower(${sql.ref(column)} collate "default") gin_trgm_ops)`.execute(db)
  }
}
