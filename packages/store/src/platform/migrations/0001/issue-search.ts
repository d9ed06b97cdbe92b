import { type Kysely, sql } from 'kysely'
import type { Tools } from '../tools.ts'

/**
 * Finds issues by any part of a word in their title or description: on SQLite a trigram table over
 * the two columns, maintained by triggers; on PostgreSQL the `pg_trgm` extension.
 */
export async function createIssueSearch({ db, dialect }: Tools): Promise<void> {
  if (dialect === 'sqlite') await createTrigramTable(db)
  else await createTrigramIndices(db)
}

async function createTrigramTable(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table "issueTexts" using fts5(
    "title", "description", content='issues', content_rowid='id', tokenize='trigram'
  )`.execute(db)
  // Merging all of 16 small segments at once, the default, holds the writer up to a quarter of a
  // second; merging a few pages with each write suffices.
  await sql`insert into "issueTexts" ("issueTexts", rank) values ('crisismerge', 64)`.execute(db)
  const add = sql`insert into "issueTexts" (rowid, "title", "description")
    values (new."id", new."title", new."description");`
  const remove = sql`insert into "issueTexts" ("issueTexts", rowid, "title", "description")
    values ('delete', old."id", old."title", old."description");`
  await sql`create trigger "issues_texts_insert" after insert on "issues" begin ${add} end`.execute(
    db,
  )
  await sql`create trigger "issues_texts_delete" after delete on "issues" begin ${remove} end`.execute(
    db,
  )
  await sql`create trigger "issues_texts_update" after update of "title", "description" on "issues"
    when old."title" is not new."title" or old."description" is not new."description"
    begin ${remove} ${add} end`.execute(db)
}

async function createTrigramIndices(db: Kysely<unknown>): Promise<void> {
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
  } catch (error) {
    throw new Error(
      'The database needs the extension pg_trgm, and its user may not add it. Run ' +
        '"create extension pg_trgm" in it as an administrator, and start again.',
      { cause: error },
    )
  }
  for (const column of ['title', 'description']) {
    await sql`create index ${sql.ref(`issues_${column}_trigrams`)} on "issues"
      using gin (lower(${sql.ref(column)} collate "default") gin_trgm_ops)`.execute(db)
  }
}
