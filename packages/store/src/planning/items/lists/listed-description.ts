import type { Queries } from '../../../platform/queries/queries.ts'
import type { ListedTable } from './work-item-table.ts'

/** The tables whose lists leave out long descriptions. */
type DescribedTable = ListedTable['name'] | 'milestones' | 'snippets'

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
