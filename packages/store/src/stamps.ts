import { sql } from 'kysely'
import type { Queries, Transaction } from './queries.ts'
import { inList } from './sql.ts'

/** What lists depend on; see `countRows`. */
export type StampName =
  | 'projects'
  | 'groups'
  | 'users'
  | 'members'
  | 'events'
  | 'issues'
  | 'mergeRequests'
  | 'protectedRefs'
  | 'snippets'

/**
 * Tells every process that lists of these things may have changed their length. Belongs into the
 * transaction that changes them, at its end: on PostgreSQL others wait for the row until the
 * commit.
 */
export async function touchStamp(tx: Transaction, ...names: StampName[]): Promise<void> {
  for (const name of names.toSorted()) {
    await tx.run('stamps.touch', { name }, (db, $) =>
      db
        .insertInto('stamps')
        .values({ name: $('name'), version: 1 })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ version: sql<number>`stamps.version + 1` }),
        ),
    )
  }
}

/** The versions by name; 0 for what never changed. One query. */
export async function readStamps<Name extends StampName>(
  q: Queries,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const [name] = names
  if (name !== undefined && names.length === 1) {
    return { [name]: await readStamp(q, name) } as Record<Name, number>
  }
  const rows = await q.all('stamps.read', { names }, (db, $) =>
    db
      .selectFrom('stamps')
      .select(['name', 'version'])
      .where(inList('stamps.name', $('names'))),
  )
  const versions = new Map<string, number>(rows.map((row) => [row.name, row.version]))
  return Object.fromEntries(names.map((name) => [name, versions.get(name) ?? 0])) as Record<
    Name,
    number
  >
}

async function readStamp(q: Queries, name: StampName): Promise<number> {
  const row = await q.first('stamp.read', { name }, (db, $) =>
    db.selectFrom('stamps').select('version').where('name', '=', $('name')),
  )
  return row?.version ?? 0
}
