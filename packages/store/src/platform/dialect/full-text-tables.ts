import type Sqlite from 'better-sqlite3'
import { indexLongText } from './index-long-text.ts'

/** The FTS5 tables of the database; triggers write them with the rows that they index. */
export const fullTextTables = ['issueTexts', 'mergeRequestTexts', 'epicTexts', 'noteTexts'] as const

export type FullTextTable = (typeof fullTextTables)[number]

/** What is written beside the triggers: the next long text as a whole, or a part of a merge. */
export type FullTextRequest = { name: 'index' } | { name: 'merge'; table: FullTextTable }

/** @returns whether there was anything to do, and so may be more */
export function writeFullText(connection: Sqlite.Database, request: FullTextRequest): boolean {
  return request.name === 'index'
    ? indexLongText(connection)
    : mergeFullTextTable(connection, request.table)
}

/** A mebibyte at most, in some 10 ms; more where the list of one trigram is larger. */
const pagesPerMerge = 256

/**
 * Merges segments of a table until as many pages are written. What is left of a merge is continued
 * by the next call.
 * @returns whether there was anything to merge
 * @see https://sqlite.org/fts5.html#the_merge_command
 */
export function mergeFullTextTable(connection: Sqlite.Database, table: FullTextTable): boolean {
  const changes = connection.prepare<[], number>('select total_changes()').pluck()
  const count = () => changes.get() ?? 0
  const before = count()
  connection
    .prepare(`insert into "${table}" ("${table}", rank) values ('merge', ${pagesPerMerge})`)
    .run()
  return count() - before >= 2
}

/**
 * Counts the segments of a table, each a b-tree that a search reads, in some microseconds. Each
 * statement that writes a table adds one, or more if it writes over a megabyte.
 */
export function countSegments(connection: Sqlite.Database): (table: FullTextTable) => number {
  const statements = new Map<FullTextTable, Sqlite.Statement<[], Buffer>>()
  const find = (table: FullTextTable) => {
    const sql = `select "block" from "${table}_data" where "id" = ${structureId}`
    const statement = connection.prepare<[], Buffer>(sql).pluck()
    statements.set(table, statement)
    return statement
  }
  return (table) => {
    const structure = (statements.get(table) ?? find(table)).get()
    return structure === undefined ? 0 : readSegments(structure)
  }
}

/** The id of the record that lists the levels and segments of an FTS5 table. */
const structureId = 10

/** Follows the cookie in the structure of a table with `contentless_delete`. */
const secondVersion = 0xff000001

/**
 * The structure is a cookie of 4 bytes, 4 that mark its second version, and the numbers of
 * levels and of segments, each a varint.
 * @see https://sqlite.org/src/file/ext/fts5/fts5_index.c
 */
function readSegments(structure: Buffer): number {
  const start = structure.readUInt32BE(4) === secondVersion ? 8 : 4
  const levels = readVarint(structure, start)
  return readVarint(structure, levels.end).value
}

/** @see https://sqlite.org/fileformat2.html#varint */
function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let end = start
  for (let byte = 0x80; byte >= 0x80; end += 1) {
    byte = bytes.readUInt8(end)
    value = value * 128 + (byte & 0x7f)
  }
  return { value, end }
}
