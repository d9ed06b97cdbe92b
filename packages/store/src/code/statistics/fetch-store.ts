import type { Queries } from '../../platform/queries/queries.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** How often a project was fetched on a day, `YYYY-MM-DD`. */
export type DayOfFetches = Pick<Row<'projectFetches'>, 'day' | 'count'>

/** Adds to the number of fetches of a project on a day. */
export async function addFetches(
  q: Queries,
  fetches: DayOfFetches & { projectId: number },
): Promise<void> {
  await q.run('fetches.add', fetches, (db, $) =>
    db
      .insertInto('projectFetches')
      .values({ projectId: $('projectId'), day: $('day'), count: $('count') })
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'day']).doUpdateSet((eb) => ({
          count: eb('projectFetches.count', '+', eb.ref('excluded.count')),
        })),
      ),
  )
}

/** Lists the days from `from` on that have fetches, newest first. */
export function listFetches(
  q: Queries,
  args: { projectId: number; from: string },
): Promise<DayOfFetches[]> {
  return q.all('fetches.list', args, (db, $) =>
    db
      .selectFrom('projectFetches')
      .select(['day', 'count'])
      .where('projectId', '=', $('projectId'))
      .where('day', '>=', $('from'))
      .orderBy('day', 'desc'),
  )
}

/** Deletes the days of a project before `from`. */
export async function deleteOldFetches(
  q: Queries,
  args: { projectId: number; from: string },
): Promise<void> {
  await q.run('fetches.delete', args, (db, $) =>
    db
      .deleteFrom('projectFetches')
      .where('projectId', '=', $('projectId'))
      .where('day', '<', $('from')),
  )
}
