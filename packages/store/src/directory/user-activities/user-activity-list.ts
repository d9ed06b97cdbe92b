import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries } from '../../platform/queries/queries.ts'

/** The last day on which a user was active. */
export interface UserActivityRow {
  username: string
  /** `YYYY-MM-DD` */
  lastActivityOn: string | null
}

/** Lists users who were active on or after a day, the least recently active first. Two queries. */
export function listUserActivities(
  q: Queries,
  args: { from: string },
  request: PageRequest,
): Promise<Page<UserActivityRow>> {
  return listPage(q, request, {
    shape: 'users.activities',
    args,
    // Users are active at any time, without a change to the list of users.
    stamp: undefined,
    key: 'users.id',
    from: (db, $) =>
      db
        .selectFrom('users')
        .where('users.kind', '=', 'human')
        .where('users.lastActivityOn', '>=', $('from')),
    order: (query) => query.orderBy('users.lastActivityOn').orderBy('users.id'),
    columns: (query) => query.select(['users.username', 'users.lastActivityOn']),
  })
}
