import { type AliasedRawBuilder, sql } from 'kysely'

/** Length in bytes up to which a list reads a text with its row. */
export const maxListedText = 16 * 1024

/** What an item has of its description in a list. */
export interface ListedDescription {
  /** Of the whole description; undefined outside of lists, which alone leave out a long one. */
  descriptionBytes?: number | null
}

/**
 * What a list selects of a text: the text, null if it is longer than `maxListedText`, and its length
 * in bytes. Neither database reads a long text for that.
 * @param column with its table
 */
export function listedText<const Text extends string>(
  column: string,
  alias: Text,
): [AliasedRawBuilder<string | null, Text>, AliasedRawBuilder<number | null, `${Text}Bytes`>] {
  const text = sql.ref<string | null>(column)
  const bytes = sql<number | null>`octet_length(${text})`
  const isShort = sql`${bytes} <= ${sql.lit(maxListedText)}`
  return [
    sql<string | null>`case when ${isShort} then ${text} end`.as(alias),
    bytes.as(`${alias}Bytes`),
  ]
}

/**
 * The columns of items in a list: of a description that is longer than `maxListedText` only
 * the length.
 * @param columns with their table
 */
export function listedColumns<const C extends string>(table: string, columns: readonly C[]) {
  return [
    ...columns.filter((column) => column !== `${table}.description`),
    ...listedText(`${table}.description`, 'description'),
  ]
}
