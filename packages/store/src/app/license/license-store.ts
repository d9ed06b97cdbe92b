import type { Queries } from '../../platform/queries/queries.ts'
import { greatest } from '../../platform/queries/sql.ts'

/** Name of the counter with the highest number of active users so far. */
const name = 'license.historical_max'

/** Users who are neither blocked nor the ghost user. One query, in the background. */
export async function countLicensedUsers(q: Queries): Promise<number> {
  const row = await (q.background ?? q).first('license.active-users', {}, (db) =>
    db
      .selectFrom('users')
      .where('kind', '=', 'human')
      .where('state', '=', 'active')
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

/** When the first user was created, in milliseconds since the epoch; undefined without users. */
export async function findInstanceStart(q: Queries): Promise<number | undefined> {
  const row = await q.first('license.start', {}, (db) =>
    db.selectFrom('users').select('createdAt').orderBy('createdAt').orderBy('id').limit(1),
  )
  return row?.createdAt
}

/** Raises the highest number of active users so far to at least `value`, and returns it. */
export async function raiseHistoricalMax(q: Queries, value: number): Promise<number> {
  const row = await q.first('license.raise', { name, value }, (db, $) =>
    db
      .insertInto('counters')
      .values({ name: $('name'), value: $('value') })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => ({
          value: greatest(eb.ref('counters.value'), eb.ref('excluded.value')),
        })),
      )
      .returning('value'),
  )
  return row?.value ?? value
}
