import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Param } from '../../platform/queries/queries.ts'
import { least } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { current } from './current.ts'

/** A user, and the date on which memberships must be active. */
export interface ViewerArgs {
  userId: number
  /** `YYYY-MM-DD`; a membership is active until the end of its `expiresOn`. */
  today: string
}

type Viewer = Param<ViewerArgs>
const eb = expressionBuilder<Schema, never>()

/** The user's active direct memberships of one kind, with at least `level`. */
export function membershipsOf($: Viewer, kind: 'group' | 'project', level: number) {
  return eb
    .selectFrom('members')
    .where('members.userId', '=', $('userId'))
    .where('members.sourceKind', '=', kind)
    .where('members.accessLevel', '>=', level)
    .where(current('members', $))
}

/** `membershipsOf` groups, joined with each of them and of their descendants. */
function groupsOfMember($: Viewer, level: number) {
  return membershipsOf($, 'group', level).innerJoin(
    'namespaceAncestors as reached',
    'reached.ancestorId',
    'members.sourceId',
  )
}

/** The ids of the groups in which the user has `level`: as a member, or through a shared group. */
export function accessibleGroupIds($: Viewer, level: number) {
  const shared = groupsOfMember($, level)
    .innerJoin('groupGroupLinks as link', 'link.sharedWithGroupId', 'reached.descendantId')
    .innerJoin('namespaceAncestors as below', 'below.ancestorId', 'link.sharedGroupId')
    .where('link.groupAccess', '>=', level)
    .where(current('link', $))
    .select('below.descendantId as id')
  return groupsOfMember($, level).select('reached.descendantId as id').unionAll(shared)
}

/** The groups of which the user is a member, joined with the links of projects shared with them. */
export function accessibleLinks($: Viewer, level: number) {
  return groupsOfMember($, level)
    .innerJoin('projectGroupLinks as link', 'link.groupId', 'reached.descendantId')
    .where('link.groupAccess', '>=', level)
    .where(current('link', $))
}

/**
 * Namespaces in whose projects the user has `level`: accessible groups, and the personal namespace.
 */
export function accessibleNamespaceIds($: Viewer, level: number) {
  return accessibleGroupIds($, level).unionAll(
    eb.selectFrom('namespaces').where('ownerId', '=', $('userId')).select('id'),
  )
}

/** Namespaces with an undeleted project that the user can read through a membership. */
export function namespacesWithProjects($: Viewer) {
  const direct = membershipsOf($, 'project', 1)
    .innerJoin('projects as held', 'held.id', 'members.sourceId')
    .where('held.deletedAt', 'is', null)
    .select('held.namespaceId as id')
  const shared = accessibleLinks($, 1)
    .innerJoin('projects as held', 'held.id', 'link.projectId')
    .where('held.deletedAt', 'is', null)
    .select('held.namespaceId as id')
  const reached = eb
    .selectFrom(accessibleGroupIds($, 1).as('reached'))
    .where((e) =>
      e.exists(
        e
          .selectFrom('projects as held')
          .whereRef('held.namespaceId', '=', 'reached.id')
          .where('held.deletedAt', 'is', null)
          .select('held.id'),
      ),
    )
    .select('reached.id')
  return direct.unionAll(shared).unionAll(reached)
}

/**
 * The user's levels in the namespaces `around.descendantId` that `which` chooses, from the groups
 * that these and their ancestors are shared with. The cross joins keep SQLite to the order of the
 * tables: a look-up per ancestor, share and ancestor of the other group.
 */
export function sharedGroupLevels($: Viewer, which: Expression<SqlBool>) {
  return eb
    .selectFrom('namespaceAncestors as around')
    .crossJoin('groupGroupLinks as link')
    .crossJoin('namespaceAncestors as above')
    .crossJoin('members')
    .where(which)
    .whereRef('link.sharedGroupId', '=', 'around.ancestorId')
    .whereRef('above.descendantId', '=', 'link.sharedWithGroupId')
    .whereRef('members.sourceId', '=', 'above.ancestorId')
    .where('members.userId', '=', $('userId'))
    .where('members.sourceKind', '=', 'group')
    .where(current('link', $))
    .where(current('members', $))
    .select((e) => [
      'around.descendantId as id',
      least(e.ref('members.accessLevel'), e.ref('link.groupAccess')).as('level'),
    ])
}
