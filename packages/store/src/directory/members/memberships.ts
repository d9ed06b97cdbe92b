import { expressionBuilder } from 'kysely'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

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
    .where((e) =>
      e.or([e('members.expiresOn', 'is', null), e('members.expiresOn', '>=', $('today'))]),
    )
}

/** `membershipsOf` groups, joined with every group and subgroup that they give access to. */
export function accessibleGroups($: Viewer, level: number) {
  return membershipsOf($, 'group', level).innerJoin(
    'namespaceAncestors as reached',
    'reached.ancestorId',
    'members.sourceId',
  )
}

/** `accessibleGroups`, joined with the links of projects shared with them. */
export function accessibleLinks($: Viewer, level: number) {
  return accessibleGroups($, level)
    .innerJoin('projectGroupLinks as link', 'link.groupId', 'reached.descendantId')
    .where('link.groupAccess', '>=', level)
    .where((e) => e.or([e('link.expiresOn', 'is', null), e('link.expiresOn', '>=', $('today'))]))
}

/**
 * Namespaces in whose projects the user has `level`: accessible groups, and the personal namespace.
 */
export function accessibleNamespaceIds($: Viewer, level: number) {
  return accessibleGroups($, level)
    .select('reached.descendantId as id')
    .unionAll(eb.selectFrom('namespaces').where('ownerId', '=', $('userId')).select('id'))
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
  const reached = accessibleGroups($, 1)
    .where((e) =>
      e.exists(
        e
          .selectFrom('projects as held')
          .whereRef('held.namespaceId', '=', 'reached.descendantId')
          .where('held.deletedAt', 'is', null)
          .select('held.id'),
      ),
    )
    .select('reached.descendantId as id')
  return direct.unionAll(shared).unionAll(reached)
}
