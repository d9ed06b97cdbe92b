import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { searchWords, spellings } from '../../planning/items/lists/parts/search-words.ts'
import type { DialectName, Param } from '../../platform/queries/queries.ts'
import { type ColumnName, containing } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import type { SearchArgs } from './search-request.ts'

const eb = expressionBuilder<Schema, never>()

/** The condition that texts contain each word of a search. */
export interface WordSearch {
  /** Distinguishes the texts of the query. */
  shape: string
  args: Record<string, string>
  /** Whether one of the columns contains the word, for each word; case-insensitive. */
  containedIn: (columns: readonly ColumnName[], $: Param<SearchArgs>) => Expression<SqlBool>
  /**
   * What `containedIn` implies for a column with a trigram index on PostgreSQL, in a form that the
   * index answers; words of one or two letters are left out.
   */
  indexedIn: (column: ColumnName, $: Param<SearchArgs>) => Expression<SqlBool>
}

/**
 * Parses a search as lists of issues do. The words are compared as they are, so they have no
 * wildcards, and a long word costs little more than a short one: with one of 1,000 characters that
 * occurs almost everywhere, 1 MB takes 30 ms, and with SQLite's `like` 1.4 s.
 */
export function searchForWords(dialect: DialectName, search: string): WordSearch {
  const { long, short } = searchWords(search)
  const words = [...long, ...short].map((word, index) => {
    // PostgreSQL ignores the case of other letters too, if the language of the database has them.
    const texts = new Set(spellings(word).map(lowerAscii))
    return [...texts].map((text, variant) => ({ name: `word${index}_${variant}`, text }))
  })
  return {
    shape: `words-${long.length}-of-${words.map((variants) => variants.length).join('-')}`,
    args: Object.fromEntries(
      words.flat().flatMap(({ name, text }) =>
        dialect === 'sqlite'
          ? [[name, text]]
          : [
              [name, text],
              [`${name}_pattern`, containing(text)],
            ],
      ),
    ),
    containedIn: (columns, $) =>
      eb.and(
        words.map((variants) =>
          eb.or(
            columns.flatMap((column) =>
              variants.map(({ name }) => contains(dialect, column, $(name))),
            ),
          ),
        ),
      ),
    indexedIn: (column, $) =>
      eb.and(
        words
          .slice(0, long.length)
          .map((variants) =>
            eb.or(variants.map(({ name }) => isLike(column, $(`${name}_pattern`)))),
          ),
      ),
  }
}

/** In the words of the index (migrations/0001/text-search.ts). */
function isLike(column: ColumnName, pattern: string | number): Expression<SqlBool> {
  return sql`lower(${sql.ref(column)} collate "default") like lower(${pattern}::text collate "default")`
}

/** A to Z in lower case and nothing else, as by `lower` of SQLite. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function contains(
  dialect: DialectName,
  column: ColumnName,
  word: string | number,
): Expression<SqlBool> {
  const text = sql.ref(column)
  if (dialect === 'sqlite') return sql`instr(lower(${text}), ${word}) > 0`
  return sql`strpos(lower(${text} collate "default"), lower(${word}::text collate "default")) > 0`
}
