import type { Kysely } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { containing, matches } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type UserRefRow, userRefColumns } from '../users/user-row.ts'

/** A user with the time of their star. */
export interface StarrerRow extends UserRefRow {
  /** Milliseconds. */
  starredAt: number
}

export interface StarrerFilter {
  projectId: number
  /** The number of stars, of users whom the list leaves out as well. */
  starCount: number
  /** Part of a name or a username. */
  search?: string | undefined
  /** Sees their own private profile; null for someone who sees those of all. */
  viewerId: number | null
}

interface Args {
  projectId: number
  search: string
  viewerId: number
}

/** Up to this many stars are counted in 0.1 ms, half the time that another thread takes to ask. */
const fewStars = 1000

/** Lists the active users who starred a project, newest star first. Two queries. */
export function listStarrers(
  q: Queries,
  { projectId, starCount, search, viewerId }: StarrerFilter,
  page: PageRequest,
): Promise<Page<StarrerRow>> {
  const shown = { all: viewerId === null, searched: search !== undefined }
  return listPage(q, page, {
    shape: `stars.of-project|${shown.all ? 'all' : 'visible'}|${shown.searched ? 'search' : ''}`,
    args: { projectId, search: containing((search ?? '').toLowerCase()), viewerId: viewerId ?? 0 },
    // The profile of a user may become private at any time.
    stamp: undefined,
    isShort: starCount <= fewStars,
    key: 'stars.userId',
    from: (db, $) => starrers(db, $, shown),
    order: (query) => query.orderBy('stars.createdAt', 'desc').orderBy('stars.userId', 'desc'),
    columns: (query) => query.select([...userRefColumns, 'stars.createdAt as starredAt']),
  })
}

function starrers(
  db: Kysely<Schema>,
  $: Param<Args>,
  { all, searched }: { all: boolean; searched: boolean },
) {
  return db
    .selectFrom('stars')
    .innerJoin('users', 'users.id', 'stars.userId')
    .where('stars.projectId', '=', $('projectId'))
    .where('users.state', '=', 'active')
    .$if(!all, (query) =>
      query.where((eb) =>
        eb.or([eb('users.privateProfile', '=', 0), eb('users.id', '=', $('viewerId'))]),
      ),
    )
    .$if(searched, (query) =>
      query.where((eb) =>
        eb.or([
          matches('users.nameLower', $('search')),
          matches('users.usernameLower', $('search')),
        ]),
      ),
    )
}
