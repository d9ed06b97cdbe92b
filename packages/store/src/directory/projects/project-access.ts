import { notificationLevels } from '@stithy/core'
import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList, least } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { current } from '../members/current.ts'
import type { MemberLevel } from '../members/levels.ts'
import { sharedGroupLevels, type ViewerArgs } from '../members/memberships.ts'

/** The levels that one user has in a project from each source; null for none. */
export interface ProjectLevels {
  projectLevel: number | null
  projectNotification: number | null
  /** The highest membership in the ancestor groups, for `groupMembership`. */
  groupMembership: number | null
  sharedLevel: number | null
}

type Tables = Schema & { p: Schema['projects'] }
type Builder = ExpressionBuilder<Tables, 'p'>

/** Sub-selects over `projects as p` for the levels of `$('userId')` on `$('today')`. */
export function levelColumns(eb: Builder, $: Param<ViewerArgs>) {
  return [
    direct(eb, $).select('m.accessLevel').as('projectLevel'),
    notification(eb, $).select('s.level').as('projectNotification'),
    throughGroup(eb, $).as('groupMembership'),
    throughShares(eb, $).as('sharedLevel'),
  ] as const
}

function direct(eb: Builder, $: Param<ViewerArgs>) {
  return eb
    .selectFrom('members as m')
    .where('m.userId', '=', $('userId'))
    .where('m.sourceKind', '=', 'project')
    .whereRef('m.sourceId', '=', 'p.id')
    .where(current('m', $))
}

function notification(eb: Builder, $: Param<ViewerArgs>) {
  return eb
    .selectFrom('notificationSettings as s')
    .where('s.userId', '=', $('userId'))
    .where('s.scope', '=', 'project')
    .whereRef('s.scopeId', '=', 'p.id')
}

/**
 * Level and notification level in one number, so that one sub-select returns both. The cross join
 * keeps SQLite to its order: one look-up per ancestor, at most 20, regardless of the number of the
 * user's memberships.
 */
function throughGroup(eb: Builder, $: Param<ViewerArgs>) {
  return eb
    .selectFrom('namespaceAncestors as a')
    .crossJoin('members as m')
    .whereRef('a.descendantId', '=', 'p.namespaceId')
    .whereRef('m.sourceId', '=', 'a.ancestorId')
    .where('m.userId', '=', $('userId'))
    .where('m.sourceKind', '=', 'group')
    .where(current('m', $))
    .leftJoin('notificationSettings as s', (join) =>
      join
        .onRef('s.userId', '=', 'm.userId')
        .on('s.scope', '=', 'group')
        .onRef('s.scopeId', '=', 'm.sourceId'),
    )
    .select((m) =>
      m.fn.max<number>(packed(m.ref('m.accessLevel'), m.ref('s.level'))).as('membership'),
    )
}

/** An unset notification level falls back to the wider setting. */
function packed(level: Expression<number>, notification: Expression<number | null>) {
  return sql<number>`${level} * 10 + coalesce(${notification}, ${sql.lit(notificationLevels.global)})`
}

function throughShares(eb: Builder, $: Param<ViewerArgs>) {
  const ofProject = eb
    .selectFrom('projectGroupLinks as l')
    .crossJoin('namespaceAncestors as a')
    .crossJoin('members as m')
    .whereRef('l.projectId', '=', 'p.id')
    .whereRef('a.descendantId', '=', 'l.groupId')
    .whereRef('m.sourceId', '=', 'a.ancestorId')
    .where('m.userId', '=', $('userId'))
    .where('m.sourceKind', '=', 'group')
    .where(current('l', $))
    .where(current('m', $))
    .select((m) => least(m.ref('m.accessLevel'), m.ref('l.groupAccess')).as('level'))
  const around = eb(sql.ref<number>('around.descendantId'), '=', eb.ref('p.namespaceId'))
  const ofGroup = eb.selectFrom(sharedGroupLevels($, around).as('s')).select('s.level')
  return eb
    .selectFrom(ofProject.unionAll(ofGroup).as('shared'))
    .select((s) => s.fn.max('shared.level').as('level'))
}

export interface ProjectLevelsRow extends ProjectLevels {
  id: number
  namespaceOwnerId: number | null
}

/** The levels of one user in several projects. One query. */
export function listProjectLevels(
  q: Queries,
  args: ViewerArgs & { ids: readonly number[] },
): Promise<ProjectLevelsRow[]> {
  return q.all('projects.levels', args, (db, $) =>
    db
      .selectFrom('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
      .where((eb) => inList(eb.ref('p.id'), $('ids')))
      .select(['p.id', 'n.ownerId as namespaceOwnerId'])
      .select((eb) => levelColumns(eb as unknown as Builder, $)),
  )
}

/** A membership in an ancestor group of a project, for `permissions`. */
export interface GroupMembership extends MemberLevel {
  notificationLevel: number
}

/** Decodes the membership through groups; null for none. */
export function groupMembership({
  groupMembership: packed,
}: ProjectLevels): GroupMembership | null {
  if (packed === null) return null
  return { accessLevel: Math.floor(packed / 10), notificationLevel: packed % 10 }
}

/**
 * The effective level: the highest of all sources; the user of a personal namespace owns its
 * projects. 0 for none.
 */
export function effectiveLevel(
  levels: ProjectLevels,
  namespaceOwnerId: number | null,
  userId: number | null,
): number {
  if (userId !== null && namespaceOwnerId === userId) return 50
  const { projectLevel, sharedLevel } = levels
  const group = groupMembership(levels)
  return Math.max(projectLevel ?? 0, group?.accessLevel ?? 0, sharedLevel ?? 0)
}

export const noLevels: ProjectLevels = Object.freeze({
  projectLevel: null,
  projectNotification: null,
  groupMembership: null,
  sharedLevel: null,
})
