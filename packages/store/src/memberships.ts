import { expressionBuilder } from 'kysely'
import type { Param } from './queries.ts'
import type { Schema } from './schema/schema.ts'

/** Whose memberships, and the day on which they must count. */
export interface ViewerArgs {
  userId: number
  /** `YYYY-MM-DD`; a membership counts up to and on the day of its `expiresOn`. */
  today: string
}

type Viewer = Param<ViewerArgs>
const eb = expressionBuilder<Schema, never>()

/** The user's direct memberships of one kind that count, from `level` on. */
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

/** `membershipsOf` groups, joined with every group and subgroup that they reach. */
export function reachedGroups($: Viewer, level: number) {
  return membershipsOf($, 'group', level).innerJoin(
    'namespaceAncestors as reached',
    'reached.ancestorId',
    'members.sourceId',
  )
}

/** `reachedGroups`, joined with the links of projects shared with them. */
export function reachedLinks($: Viewer, level: number) {
  return reachedGroups($, level)
    .innerJoin('projectGroupLinks as link', 'link.groupId', 'reached.descendantId')
    .where('link.groupAccess', '>=', level)
    .where((e) => e.or([e('link.expiresOn', 'is', null), e('link.expiresOn', '>=', $('today'))]))
}

/** Namespaces whose projects the user has `level` in: reached groups, and the personal one. */
export function reachedNamespaceIds($: Viewer, level: number) {
  return reachedGroups($, level)
    .select('reached.descendantId as id')
    .unionAll(eb.selectFrom('namespaces').where('ownerId', '=', $('userId')).select('id'))
}

/** Namespaces that hold a living project which a membership lets the user read. */
export function namespacesWithProjects($: Viewer) {
  const direct = membershipsOf($, 'project', 1)
    .innerJoin('projects as held', 'held.id', 'members.sourceId')
    .where('held.deletedAt', 'is', null)
    .select('held.namespaceId as id')
  const shared = reachedLinks($, 1)
    .innerJoin('projects as held', 'held.id', 'link.projectId')
    .where('held.deletedAt', 'is', null)
    .select('held.namespaceId as id')
  const reached = reachedGroups($, 1)
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
