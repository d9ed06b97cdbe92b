import type { Visibility } from '@stithy/core'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { current } from '../members/current.ts'
import {
  namespacesWithProjects,
  sharedGroupLevels,
  type ViewerArgs,
} from '../members/memberships.ts'
import { fromGroups, type GroupRow, groupColumns } from './group-row.ts'

/** By id, or by the lower-cased full path. */
export type GroupKey = { id: number } | { fullPathLower: string }

/** An existing group, or undefined. */
export function findGroup(q: Queries, key: GroupKey): Promise<GroupRow | undefined> {
  if ('id' in key) {
    return q.first('groups.find.id', key, (db, $) =>
      fromGroups(db).where('n.id', '=', $('id')).select(groupColumns),
    )
  }
  return q.first('groups.find.path', key, (db, $) =>
    fromGroups(db).where('n.fullPathLower', '=', $('fullPathLower')).select(groupColumns),
  )
}

type Builder = ExpressionBuilder<Schema & { n: Schema['namespaces'] }, 'n'>

/** The highest level of `$('userId')` in the group and its ancestors, or through a share of one. */
export function groupLevelColumn(eb: Builder, $: Param<ViewerArgs>) {
  const inherited = eb
    .selectFrom('namespaceAncestors as a')
    .crossJoin('members as m')
    .whereRef('a.descendantId', '=', 'n.id')
    .whereRef('m.sourceId', '=', 'a.ancestorId')
    .where('m.userId', '=', $('userId'))
    .where('m.sourceKind', '=', 'group')
    .where(current('m', $))
    .select('m.accessLevel as level')
  const around = eb(sql.ref<number>('around.descendantId'), '=', eb.ref('n.id'))
  const shared = eb.selectFrom(sharedGroupLevels($, around).as('s')).select('s.level')
  return eb
    .selectFrom(inherited.unionAll(shared).as('levels'))
    .select((e) => e.fn.max('levels.level').as('level'))
    .as('level')
}

/** An existing group with the level of one user in it (null for none). One query. */
export function findGroupFor(
  q: Queries,
  key: GroupKey,
  viewer: ViewerArgs,
): Promise<(GroupRow & { level: number | null }) | undefined> {
  if ('id' in key) {
    return q.first('groups.find.id.level', { ...key, ...viewer }, (db, $) =>
      fromGroups(db)
        .where('n.id', '=', $('id'))
        .select(groupColumns)
        .select((eb) => groupLevelColumn(eb as unknown as Builder, $)),
    )
  }
  return q.first('groups.find.path.level', { ...key, ...viewer }, (db, $) =>
    fromGroups(db)
      .where('n.fullPathLower', '=', $('fullPathLower'))
      .select(groupColumns)
      .select((eb) => groupLevelColumn(eb as unknown as Builder, $)),
  )
}

/** A group with a user's level in it; 0 for none. */
export interface GroupLevel {
  id: number
  visibility: Visibility
  level: number
}

/** The levels of a user in several groups. One query. */
export async function listGroupLevels(
  q: Queries,
  args: ViewerArgs & { groupIds: readonly number[] },
): Promise<GroupLevel[]> {
  const rows = await q.all('groups.levels', args, (db, $) =>
    db
      .selectFrom('namespaces as n')
      .where((eb) => inList(eb.ref('n.id'), $('groupIds')))
      .select(['n.id', 'n.visibility'])
      .select((eb) => groupLevelColumn(eb as unknown as Builder, $)),
  )
  return rows.map((row) => ({ ...row, level: row.level ?? 0 }))
}

/**
 * Whether a user who is not a member of a group can read it because of a project in it or below it:
 * through a membership in the project, in a subgroup between, or in a group that the project is
 * shared with.
 */
export async function hasReadableProjectInside(
  q: Queries,
  args: ViewerArgs & { groupId: number },
): Promise<boolean> {
  const row = await q.first('groups.holds-project', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as inside')
      .where('inside.ancestorId', '=', $('groupId'))
      .where('inside.descendantId', 'in', namespacesWithProjects($))
      .select('inside.descendantId')
      .limit(1),
  )
  return row !== undefined
}
