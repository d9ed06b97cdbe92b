import { listedText } from '../../../platform/queries/listed-text.ts'
import type { Queries } from '../../../platform/queries/queries.ts'
import type { ListedTable } from './work-item-table.ts'

/** The tables whose lists leave out long descriptions. */
type DescribedTable = ListedTable['name'] | 'milestones' | 'snippets'

/**
 * The columns of items in a list: of a description that is longer than `maxListedText` only
 * the length.
 */
export function listedColumns<const C extends string>(
  table: DescribedTable,
  columns: readonly C[],
) {
  return [
    ...columns.filter((column) => column !== `${table}.description`),
    ...listedText(`${table}.description`, 'description'),
  ]
}

/** The whole description of an item; null if it has none, or was deleted. One query. */
export async function readDescription(
  q: Queries,
  table: DescribedTable,
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
