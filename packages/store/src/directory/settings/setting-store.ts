import type { Queries } from '../../platform/queries/queries.ts'
import { fromJsonText, inList } from '../../platform/queries/sql.ts'

/** Instance settings by key; keys that were never set are left out. One query. */
export async function findSettings<Key extends string>(
  q: Queries,
  keys: readonly Key[],
): Promise<Partial<Record<Key, unknown>>> {
  const rows = await q.all('settings.find', { keys }, (db, $) =>
    db
      .selectFrom('settings')
      .select(['settings.key', 'settings.value'])
      .where(inList('settings.key', $('keys'))),
  )
  return Object.fromEntries(
    rows.map(({ key, value }) => [key, fromJsonText<unknown>(value)]),
  ) as Partial<Record<Key, unknown>>
}
