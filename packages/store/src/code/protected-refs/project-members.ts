import type { Kysely } from 'kysely'
import { current } from '../../directory/members/current.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** A project, its namespace, and the date on which memberships and shares must be active. */
export interface ProjectMembersArgs {
  projectId: number
  namespaceId: number
  /** `YYYY-MM-DD` */
  today: string
}

/** Filters users to those who are members of a project, directly or through a group. One query. */
export async function filterProjectMembers(q: Queries, args: Args): Promise<Set<number>> {
  const rows = await q.all('protectedRefs.members', args, (db, $) => {
    const direct = db
      .selectFrom('members as m')
      .where('m.sourceKind', '=', 'project')
      .where('m.sourceId', '=', $('projectId'))
      .where((eb) => inList(eb.ref('m.userId'), $('userIds')))
      .where(current('m', $))
      .select('m.userId')
    const above = db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('members as m', 'm.sourceId', 'a.ancestorId')
      .where('a.descendantId', '=', $('namespaceId'))
      .where('m.sourceKind', '=', 'group')
      .where((eb) => inList(eb.ref('m.userId'), $('userIds')))
      .where(current('m', $))
      .select('m.userId')
    const owner = db
      .selectFrom('namespaces as n')
      .where('n.id', '=', $('namespaceId'))
      .where((eb) => inList(eb.ref('n.ownerId'), $('userIds')))
      .select((eb) => eb.ref('n.ownerId').$notNull().as('userId'))
    return direct.union(above).union(owner).union(membersThroughShares(db, $))
  })
  return new Set(rows.map(({ userId }) => userId))
}

type Args = ProjectMembersArgs & { userIds: readonly number[] }

/** Those of the users who are members of a group that the project or a group around it is shared with. */
function membersThroughShares(db: Kysely<Schema>, $: Param<Args>) {
  const ofProject = db
    .selectFrom('projectGroupLinks as l')
    .innerJoin('namespaceAncestors as a', 'a.descendantId', 'l.groupId')
    .innerJoin('members as m', 'm.sourceId', 'a.ancestorId')
    .where('l.projectId', '=', $('projectId'))
    .where('m.sourceKind', '=', 'group')
    .where((eb) => inList(eb.ref('m.userId'), $('userIds')))
    .where(current('l', $))
    .where(current('m', $))
    .select('m.userId')
  const ofGroup = db
    .selectFrom('namespaceAncestors as around')
    .innerJoin('groupGroupLinks as l', 'l.sharedGroupId', 'around.ancestorId')
    .innerJoin('namespaceAncestors as a', 'a.descendantId', 'l.sharedWithGroupId')
    .innerJoin('members as m', 'm.sourceId', 'a.ancestorId')
    .where('around.descendantId', '=', $('namespaceId'))
    .where('m.sourceKind', '=', 'group')
    .where((eb) => inList(eb.ref('m.userId'), $('userIds')))
    .where(current('l', $))
    .where(current('m', $))
    .select('m.userId')
  return ofProject.union(ofGroup)
}

/** Filters groups to those that a project is shared with. One query. */
export async function filterSharedGroups(
  q: Queries,
  args: { projectId: number; today: string; groupIds: readonly number[] },
): Promise<Set<number>> {
  const rows = await q.all('protectedRefs.shared', args, (db, $) =>
    db
      .selectFrom('projectGroupLinks as l')
      .where('l.projectId', '=', $('projectId'))
      .where((eb) => inList(eb.ref('l.groupId'), $('groupIds')))
      .where(current('l', $))
      .select('l.groupId'),
  )
  return new Set(rows.map(({ groupId }) => groupId))
}

/** Lists the groups that a project is shared with and that the user is a member of. One query. */
export async function listSharedGroupIds(
  q: Queries,
  args: { projectId: number; userId: number; today: string },
): Promise<Set<number>> {
  const rows = await q.all('protectedRefs.groups', args, (db, $) =>
    db
      .selectFrom('projectGroupLinks as l')
      // Makes SQLite join in this order, starting from the few shares of the project.
      .crossJoin('namespaceAncestors as a')
      .crossJoin('members as m')
      .where('l.projectId', '=', $('projectId'))
      .whereRef('a.descendantId', '=', 'l.groupId')
      .whereRef('m.sourceId', '=', 'a.ancestorId')
      .where('m.sourceKind', '=', 'group')
      .where('m.userId', '=', $('userId'))
      .where(current('l', $))
      .where(current('m', $))
      .select('l.groupId')
      .distinct(),
  )
  return new Set(rows.map(({ groupId }) => groupId))
}
