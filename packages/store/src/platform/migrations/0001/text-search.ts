import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tools } from '../tools.ts'

/**
 * Finds issues, merge requests and epics by any part of a word in their title or description, and comments
 * by their text: on SQLite trigram tables over these columns, maintained by triggers; on PostgreSQL
 * the `pg_trgm` extension. A text with many different trigrams takes SQLite up to three microseconds a
 * character, so triggers index the beginning of a long one, and note it in `unindexedTexts`.
 */
export async function createTextSearch({ db, dialect }: Tools): Promise<void> {
  if (dialect === 'sqlite') {
    await sql`create table "unindexedTexts" (
      "texts" text not null, "id" integer not null, primary key ("texts", "id")
    ) without rowid`.execute(db)
    await createTrigramTable(db, 'issues', 'issueTexts')
    await createTrigramTable(db, 'mergeRequests', 'mergeRequestTexts')
    await createTrigramTable(db, 'epics', 'epicTexts')
    await createNoteTexts(db)
    return
  }
  await createExtension(db)
  await createTrigramIndices(db, 'issues')
  await createTrigramIndices(db, 'mergeRequests')
  await createTrigramIndices(db, 'epics')
  await sql`create index "notes_body_trigrams" on "notes"
    using gin (lower("body" collate "default") gin_trgm_ops) where "system" = 0`.execute(db)
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
    "title", "description", content='', contentless_delete=1, tokenize='trigram'
  )`.execute(db)
  await leaveMergesToThread(db, textTable)
  const description = sql`new."description"`
  const add = sql`insert into ${texts} (rowid, "title", "description")
    values (new."id", new."title", ${beginning(description)});
    ${noteLong(textTable, description)}`
  const remove = sql`delete from ${texts} where rowid = old."id"; ${forget(textTable)}`
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

/**
 * By default, every 64th write merges segments, for some 20 ms, and one that finds 16 of the same level
 * merges all of these, for up to a quarter of a second. A thread of the store merges them instead.
 */
async function leaveMergesToThread(db: Kysely<unknown>, textTable: string): Promise<void> {
  const texts = sql.table(textTable)
  const options = { automerge: 0, crisismerge: 250 }
  for (const [option, value] of Object.entries(options)) {
    await sql`insert into ${texts} (${texts}, rank) values (${sql.lit(option)}, ${sql.lit(value)})`.execute(
      db,
    )
  }
}

/** Characters of a text that are indexed at once, in some milliseconds. */
const indexedAtOnce = sql.lit(8192)

function beginning(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`substr(${text}, 1, ${indexedAtOnce})`
}

/** Notes that a long text is to be indexed as a whole. */
function noteLong(textTable: string, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert or ignore into "unindexedTexts" ("texts", "id")
    select ${sql.lit(textTable)}, new."id" where octet_length(${text}) > ${indexedAtOnce};`
}

function forget(textTable: string): RawBuilder<unknown> {
  return sql`delete from "unindexedTexts" where "texts" = ${sql.lit(textTable)} and "id" = old."id";`
}

/**
 * Comments are searched in one project. Its id is the one trigram of a column of its own, so that
 * the index finds the comments of the project that have the words without reading any of them; the
 * query must spell it the same way. System notes have no text, and a comment on an epic or a
 * personal snippet has no project.
 */
async function createNoteTexts(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table "noteTexts" using fts5(
    "body", "scope", content='', contentless_delete=1, tokenize='trigram'
  )`.execute(db)
  await leaveMergesToThread(db, 'noteTexts')
  const body = sql`new."body"`
  const add = sql`insert into "noteTexts" (rowid, "body", "scope")
    select new."id", ${beginning(body)}, char(57344 + new."projectId" / 40960000 % 6400,
      57344 + new."projectId" / 6400 % 6400, 57344 + new."projectId" % 6400)
    where new."system" = 0 and new."projectId" is not null;
    ${noteLong('noteTexts', body)}`
  const remove = sql`delete from "noteTexts" where rowid = old."id"; ${forget('noteTexts')}`
  await sql`create trigger "notes_texts_insert" after insert on "notes"
    when new."system" = 0 begin ${add} end`.execute(db)
  await sql`create trigger "notes_texts_delete" after delete on "notes"
    when old."system" = 0 begin ${remove} end`.execute(db)
  await sql`create trigger "notes_texts_update" after update of "body", "projectId", "system" on "notes"
    when old."body" is not new."body" or old."projectId" is not new."projectId"
      or old."system" is not new."system"
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
