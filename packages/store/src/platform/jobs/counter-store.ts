import type { Queries } from '../queries/queries.ts'
import { inList } from '../queries/sql.ts'

/** Adds to a counter that outlives processes and rows. */
export async function addToCounter(q: Queries, name: string, value: number): Promise<void> {
  if (value === 0) return
  await q.run('counter.add', { name, value }, (db, $) =>
    db
      .insertInto('counters')
      .values({ name: $('name'), value: $('value') })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({ value: eb('counters.value', '+', eb.ref('excluded.value')) })),
      ),
  )
}

/** Counters by name; 0 for those that nothing was added to. One query. */
export async function readCounters<Name extends string>(
  q: Queries,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const rows = await q.all('counter.read', { names }, (db, $) =>
    db
      .selectFrom('counters')
      .where(inList('counters.name', $('names')))
      .select(['name', 'value']),
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? 0])) as Record<
    Name,
    number
  >
}
