import { current } from '../members/current.ts'
import type { Queries } from '../queries.ts'
import { inList } from '../sql.ts'

/** The people of these names, which are in lower case; neither the ghost nor who is about to go. One query. */
export function listNamedUsers(
  q: Queries,
  names: readonly string[],
): Promise<{ id: number; usernameLower: string }[]> {
  return q.all('named.users', { names }, (db, $) =>
    db
      .selectFrom('users')
      .where(inList('users.usernameLower', $('names')))
      .where('users.kind', '=', 'human')
      .select(['id', 'usernameLower']),
  )
}

/** The members of groups, those of the groups above them too: the first `limit` of each. One query. */
export async function listGroupMemberIds(
  q: Queries,
  args: { groupIds: readonly number[]; today: string; limit: number },
): Promise<Map<number, number[]>> {
  const rows = await q.all('named.members', args, (db, $) => {
    const ranked = db
      .selectFrom('namespaceAncestors as a')
      // SQLite keeps the order of a cross join; left to itself it begins with all members of all groups.
      .crossJoin('members as m')
      .whereRef('m.sourceId', '=', 'a.ancestorId')
      .where((eb) => inList(eb.ref('a.descendantId'), $('groupIds')))
      .where('m.sourceKind', '=', 'group')
      .where(current('m', $))
      .select((eb) => [
        'a.descendantId as groupId',
        'm.userId',
        eb.fn
          .agg<number>('dense_rank')
          .over((over) => over.partitionBy('a.descendantId').orderBy('m.userId'))
          .as('place'),
      ])
      .distinct()
    return db
      .selectFrom(ranked.as('r'))
      .where('r.place', '<=', $('limit'))
      .select(['r.groupId', 'r.userId'])
  })
  const members = new Map<number, number[]>()
  for (const { groupId, userId } of rows) {
    members.set(groupId, [...(members.get(groupId) ?? []), userId])
  }
  return members
}
