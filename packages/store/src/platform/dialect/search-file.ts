import { basename, dirname, extname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { busyTimeout, type ConnectionSetup } from './connection.ts'
import { addSearchFunctions } from './segments/search-functions.ts'

/** Changes with the statements below: a file of another version is made anew, and filled again. */
const version = 3

/**
 * The tables of the search index. Trigrams and signatures of texts are stored without the texts, and
 * without positions, so that the index stays at about half of the size of what it finds; whether and
 * where a text contains the words is looked up in the repository.
 *
 * A segment has some texts of one kind, and pages with lists of them by key. A page is found by
 * `segment * 2^25 + key`, with the first key that it has. Segments are not changed but for the
 * bitmap of deleted texts; small ones are merged into larger ones.
 */
const schema = `
  create table "searchSources" (
    "id" integer primary key autoincrement,
    "projectId" integer not null,
    "kind" text not null,
    "revision" text,
    "target" text,
    "version" integer not null default 0,
    unique ("projectId", "kind")
  );
  create table "searchBlocks" (
    "id" integer primary key autoincrement,
    "sourceId" integer not null,
    "holds" text not null,
    "used" integer not null default 0
  );
  create index "searchBlocks_sourceId_index" on "searchBlocks" ("sourceId", "holds", "id");
  create table "searchFiles" (
    "id" integer primary key,
    "sourceId" integer not null,
    "path" text not null,
    "oid" text not null,
    unique ("sourceId", "path")
  );
  create table "searchCommits" (
    "id" integer primary key,
    "sourceId" integer not null,
    "oid" text not null,
    unique ("sourceId", "oid")
  );
  create index "searchCommits_oid_index" on "searchCommits" ("oid");
  create table "searchSegments" (
    "id" integer primary key autoincrement,
    "holds" text not null,
    "size" integer not null,
    "count" integer not null,
    "firstId" integer not null,
    "lastId" integer not null,
    "deleted" blob,
    "texts" blob not null
  );
  create index "searchSegments_holds_index" on "searchSegments" ("holds", "lastId");
  create table "searchPages" (
    "id" integer primary key,
    "page" blob not null
  );
`

/** The path of the search index that belongs to a database file. */
export function searchFileOf(file: string): string {
  const extension = extname(file)
  return join(dirname(file), `${basename(file, extension)}-search${extension}`)
}

/** Creates the tables of the search index in a connection to an empty database. */
export function createSearchTables(connection: Sqlite.Database): void {
  addSearchFunctions(connection)
  connection.exec(schema)
}

/**
 * Creates the search index beside a database, unless it is there; returns whether it did. Its
 * contents can be made anew.
 */
export function prepareSearchFile({ file, nativeBinding }: ConnectionSetup): boolean {
  const connection = new Sqlite(searchFileOf(file), {
    timeout: busyTimeout,
    ...(nativeBinding === undefined ? {} : { nativeBinding }),
  })
  try {
    const isCurrent = () => connection.pragma('user_version', { simple: true }) === version
    if (isCurrent()) return false
    connection.pragma('journal_mode = wal')
    const replace = connection.transaction(() => {
      // Another process may have been faster.
      if (isCurrent()) return false
      dropTables(connection)
      createSearchTables(connection)
      connection.pragma(`user_version = ${version}`)
      return true
    })
    return replace.immediate()
  } finally {
    connection.close()
  }
}

/** Adds the tables of the search index to a connection that reads the database. */
export function attachSearchFile(connection: Sqlite.Database, file: string): void {
  connection.prepare('attach ? as search').run(searchFileOf(file))
  try {
    connection.pragma('search.cache_size = -2000')
    connection.pragma(`search.mmap_size = ${32 * 1024 * 1024}`)
  } catch (error) {
    // The file is opened by the first of them.
    connection.exec('detach search')
    throw error
  }
  addSearchFunctions(connection)
}

/** Dropping a virtual table, which earlier versions had, drops those that it is made of. */
function dropTables(connection: Sqlite.Database): void {
  const tables = connection
    .prepare<[], { name: string }>(
      `select "name" from "sqlite_master" where "type" = 'table' and "name" not like 'sqlite_%'
       order by "sql" like 'create virtual%' desc`,
    )
    .all()
  for (const { name } of tables) connection.exec(`drop table if exists "${name}"`)
}
