import type { CallerFacts } from '@stithy/core'
import { fromGroups, type GroupRow, groupColumns } from '../../directory/groups/group-row.ts'
import { current } from '../../directory/members/current.ts'
import { viewerArgs, viewerKind, visibleGroups } from '../../directory/members/visibility.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** A direct membership in a group. */
export interface GroupMember {
  groupId: number
  userId: number
}

/** The most memberships that are read of the groups of one merge request. */
const maxMembers = 10_000

/**
 * Lists the active direct members of groups, by user id. Of large groups not all are listed, but
 * always those among `userIds`. At most two queries.
 */
export async function listGroupMembers(
  q: Queries,
  args: { groupIds: readonly number[]; userIds: readonly number[]; today: string },
): Promise<GroupMember[]> {
  if (args.groupIds.length === 0) return []
  const { userIds, ...all } = args
  const members = await q.all('approvers.members', { ...all, limit: maxMembers }, (db, $) =>
    db
      .selectFrom('members as m')
      .where((eb) => inList(eb.ref('m.sourceId'), $('groupIds')))
      .where('m.sourceKind', '=', 'group')
      .where(current('m', $))
      .orderBy('m.userId')
      .limit($('limit'))
      .select(['m.sourceId as groupId', 'm.userId']),
  )
  if (members.length < maxMembers) return members
  const known = await q.all('approvers.knownMembers', args, (db, $) =>
    db
      .selectFrom('members as m')
      .where((eb) => inList(eb.ref('m.sourceId'), $('groupIds')))
      .where((eb) => inList(eb.ref('m.userId'), $('userIds')))
      .where('m.sourceKind', '=', 'group')
      .where(current('m', $))
      .select(['m.sourceId as groupId', 'm.userId']),
  )
  return [...members, ...known]
}

/** Lists those of the groups that the caller can see, by id. */
export function listVisibleGroups(
  q: Queries,
  { ids, caller, today }: { ids: readonly number[]; caller: CallerFacts; today: string },
): Promise<GroupRow[]> {
  const kind = viewerKind(caller)
  const args = { ids, ...viewerArgs(caller, today) }
  return q.all(`approvers.groups|${kind}`, args, (db, $) =>
    fromGroups(db)
      .where((eb) => inList(eb.ref('n.id'), $('ids')))
      .where(visibleGroups(kind, $, 'n'))
      .orderBy('n.id')
      .select(groupColumns),
  )
}
