import { current } from '../../directory/members/current.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/**
 * Lists the users with these lower-cased usernames; neither the ghost nor those being deleted. One
 * query.
 */
export function listMentionedUsers(
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

/** Lists the members of groups, inherited ones included: the first `limit` of each. One query. */
export async function listGroupMemberIds(
  q: Queries,
  args: { groupIds: readonly number[]; today: string; limit: number },
): Promise<Map<number, number[]>> {
  const rows = await q.all('named.members', args, (db, $) => {
    const ranked = db
      .selectFrom('namespaceAncestors as a')
      // SQLite keeps the order of a cross join; otherwise it starts with all members of all groups.
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
          .as('rank'),
      ])
      .distinct()
    return db
      .selectFrom(ranked.as('r'))
      .where('r.rank', '<=', $('limit'))
      .select(['r.groupId', 'r.userId'])
  })
  const members = new Map<number, number[]>()
  for (const { groupId, userId } of rows) {
    members.set(groupId, [...(members.get(groupId) ?? []), userId])
  }
  return members
}
