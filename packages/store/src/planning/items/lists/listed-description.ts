import { sql } from 'kysely'
import type { Queries } from '../../../platform/queries/queries.ts'
import type { ListedTable } from './work-item-table.ts'

/** Length in bytes up to which a list reads a description with its row. */
export const maxListedDescription = 16 * 1024

/** What an item has of its description in a list. */
export interface ListedDescription {
  /** Of the whole description; undefined outside of lists, which alone leave out a long one. */
  descriptionBytes?: number | null
}

/**
 * The columns of items in a list: of a description that is longer than `maxListedDescription` only
 * the length. Neither database reads the text for that.
 */
export function listedColumns<const C extends string>(
  table: ListedTable['name'],
  columns: readonly C[],
) {
  const description = sql.ref<string | null>(`${table}.description`)
  const bytes = sql<number | null>`octet_length(${description})`
  const isShort = sql`${bytes} <= ${sql.lit(maxListedDescription)}`
  return [
    ...columns.filter((column) => column !== `${table}.description`),
    sql<string | null>`case when ${isShort} then ${description} end`.as('description'),
    bytes.as('descriptionBytes'),
  ]
}

/** The whole description of an item; null if it has none, or was deleted. One query. */
export async function readDescription(
  q: Queries,
  table: ListedTable['name'],
  id: number,
): Promise<string | null> {
  const row = await q.first(`${table}.description`, { id }, (db, $) =>
    db
      .selectFrom(table as 'issues')
      .where('id', '=', $('id'))
      .select('description'),
  )
  return row?.description ?? null
}
