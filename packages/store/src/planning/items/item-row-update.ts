import type { Transaction } from '../../platform/queries/queries.ts'
import { type CountedType, countedTables } from './item-counts.ts'

/** Updates columns of an item; undefined ones are left alone. */
export async function updateItemRow(
  tx: Transaction,
  { type, id }: { type: CountedType; id: number },
  changes: object,
): Promise<void> {
  const values = Object.entries(changes).filter(([, value]) => value !== undefined)
  if (values.length === 0) return
  const names = values.map(([name]) => name).toSorted()
  const args: Record<string, unknown> = { ...Object.fromEntries(values), itemId: id }
  const table = countedTables[type]
  await tx.run(`${table}.update|${names.join(',')}`, args, (db, $) =>
    db
      .updateTable(table)
      .set(Object.fromEntries(names.map((name) => [name, $(name)])))
      .where('id', '=', $('itemId') as number),
  )
}
