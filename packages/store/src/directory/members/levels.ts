import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList, least } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { current } from './current.ts'
import { sharedGroupLevels, type ViewerArgs } from './memberships.ts'

/** A membership's level. */
export interface MemberLevel {
  accessLevel: number
}

const eb = expressionBuilder<Schema, never>()

/** The user's effective level in a project, 0 for none. */
export async function levelInProject(
  q: Queries,
  args: ViewerArgs & { projectId: number },
): Promise<number> {
  const rows = await q.all('level.project', args, (_, $) =>
    membershipPaths($, eb(sql.ref<number>('projects.id'), '=', $('projectId'))),
  )
  return rows.reduce((highest, row) => Math.max(highest, row.level), 0)
}

/**
 * The user's effective levels in several projects, by project id; those without one are left out.
 */
export async function projectLevels(
  q: Queries,
  args: ViewerArgs & { projectIds: readonly number[] },
): Promise<Map<number, number>> {
  const rows = await q.all('level.projects', args, (_, $) =>
    membershipPaths($, inList('projects.id', $('projectIds'))),
  )
  const levels = new Map<number, number>()
  for (const { id, level } of rows) levels.set(id, Math.max(level, levels.get(id) ?? 0))
  return levels
}

/**
 * One row per path by which the user is a member of each of the projects. The cross joins keep
 * SQLite to the order of the tables, from the projects to the memberships: otherwise it starts from
 * all memberships of the user, which took 8 ms instead of 0.05 for a page of 20 and a user in 100
 * groups.
 */
function membershipPaths($: Param<ViewerArgs>, which: Expression<SqlBool>) {
  const projects = eb.selectFrom('projects').where(which)
  const direct = projects
    .crossJoin('members')
    .whereRef('members.sourceId', '=', 'projects.id')
    .where(counting($, 'project'))
    .select(['projects.id', 'members.accessLevel as level'])
  const inherited = projects
    .crossJoin('namespaceAncestors as above')
    .crossJoin('members')
    .whereRef('above.descendantId', '=', 'projects.namespaceId')
    .whereRef('members.sourceId', '=', 'above.ancestorId')
    .where(counting($, 'group'))
    .select(['projects.id', 'members.accessLevel as level'])
  const own = projects
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespaceId')
    .where('namespaces.ownerId', '=', $('userId'))
    .select((e) => ['projects.id', e.lit(50).as('level')])
  return direct.unionAll(inherited).unionAll(own).unionAll(sharedPaths($, which))
}

/** The same for shares of the projects, and of the groups that they are in. */
function sharedPaths($: Param<ViewerArgs>, which: Expression<SqlBool>) {
  const projects = eb.selectFrom('projects').where(which)
  const ofProject = projects
    .crossJoin('projectGroupLinks as link')
    .crossJoin('namespaceAncestors as above')
    .crossJoin('members')
    .whereRef('link.projectId', '=', 'projects.id')
    .whereRef('above.descendantId', '=', 'link.groupId')
    .whereRef('members.sourceId', '=', 'above.ancestorId')
    .where(counting($, 'group'))
    .where(current('link', $))
    .select((e) => [
      'projects.id',
      least(e.ref('members.accessLevel'), e.ref('link.groupAccess')).as('level'),
    ])
  const ofGroup = projects
    .crossJoin('namespaceAncestors as around')
    .crossJoin('groupGroupLinks as link')
    .crossJoin('namespaceAncestors as above')
    .crossJoin('members')
    .whereRef('around.descendantId', '=', 'projects.namespaceId')
    .whereRef('link.sharedGroupId', '=', 'around.ancestorId')
    .whereRef('above.descendantId', '=', 'link.sharedWithGroupId')
    .whereRef('members.sourceId', '=', 'above.ancestorId')
    .where(counting($, 'group'))
    .where(current('link', $))
    .select((e) => [
      'projects.id',
      least(e.ref('members.accessLevel'), e.ref('link.groupAccess')).as('level'),
    ])
  return ofProject.unionAll(ofGroup)
}

/** Whether `members` is an active membership of the user, of this kind. */
function counting($: Param<ViewerArgs>, kind: 'group' | 'project') {
  const members = expressionBuilder<Schema, 'members'>()
  return members.and([
    members('members.userId', '=', $('userId')),
    members('members.sourceKind', '=', kind),
    current('members', $),
  ])
}

/** The user's effective level in a group, through ancestors and shares too; 0 for none. */
export async function levelInGroup(
  q: Queries,
  args: ViewerArgs & { groupId: number },
): Promise<number> {
  const { groupId, ...viewer } = args
  const levels = await groupLevels(q, { ...viewer, namespaceIds: [groupId] })
  return levels.get(groupId)?.accessLevel ?? 0
}

/** The user's effective level in each of the groups, by group id; those without one are left out. */
export async function groupLevels(
  q: Queries,
  args: ViewerArgs & { namespaceIds: readonly number[] },
): Promise<Map<number, MemberLevel>> {
  const rows = await q.all('level.groups', args, (_, $) => {
    const inherited = eb
      .selectFrom('namespaceAncestors as reached')
      .crossJoin('members')
      .where(inList(sql.ref('reached.descendantId'), $('namespaceIds')))
      .whereRef('members.sourceId', '=', 'reached.ancestorId')
      .where(counting($, 'group'))
      .select(['reached.descendantId as id', 'members.accessLevel as level'])
    const shared = sharedGroupLevels($, inList(sql.ref('around.descendantId'), $('namespaceIds')))
    return inherited.unionAll(shared).orderBy('level')
  })
  // Later entries win: the highest level.
  return new Map(rows.map(({ id, level }) => [id, { accessLevel: level }]))
}

/** The direct project memberships, by project id. */
export async function directProjectLevels(
  q: Queries,
  args: ViewerArgs & { projectIds: readonly number[] },
): Promise<Map<number, MemberLevel>> {
  const rows = await q.all('level.direct', args, (_, $) =>
    eb
      .selectFrom('members')
      .where(inList('members.sourceId', $('projectIds')))
      .where(counting($, 'project'))
      .select(['members.sourceId as id', 'members.accessLevel']),
  )
  return new Map(rows.map(({ id, ...level }) => [id, level]))
}
