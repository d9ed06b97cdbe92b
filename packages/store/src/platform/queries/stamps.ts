import { sql } from 'kysely'
import type { Queries, Transaction } from './queries.ts'
import { inList } from './sql.ts'

/** The versioned inputs of lists; see `countRows`. */
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
 * Tells every process that lists of these resources may have changed their length, in the
 * transaction of the change. The rows are written directly before the commit, since on PostgreSQL
 * other transactions wait for them until then.
 */
export function touchStamp(tx: Transaction, ...names: StampName[]): void {
  for (const name of names) {
    tx.beforeCommit(`stamp ${name}`, async () => {
      await tx.run('stamps.touch', { name }, (db, $) =>
        db
          .insertInto('stamps')
          .values({ name: $('name'), version: 1 })
          .onConflict((conflict) =>
            conflict.column('name').doUpdateSet({ version: sql<number>`stamps.version + 1` }),
          ),
      )
    })
  }
}

/** The versions by name; 0 for stamps that never changed. One query. */
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
