import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { current } from '../../directory/members/current.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import type { NotificationPlace } from './recipient-store.ts'

interface WatcherArgs extends NotificationPlace {
  /** `YYYY-MM-DD`; memberships that are over do not count. */
  today: string
  /** Ids above this one. */
  after: number
  limit: number
}

/**
 * The next users, by id, who may want everything that happens in a place: those who chose the level
 * `watch` or `custom` for it or for a group around it, and its members who chose one of these for
 * everything. What they chose more closely may say otherwise. With `customOnly`, the level `watch`
 * does not count.
 */
export async function listPossibleWatchers(
  q: Queries,
  { customOnly = false, ...args }: WatcherArgs & { customOnly?: boolean },
): Promise<number[]> {
  const isWatching = customOnly ? isCustom : isWatchOrCustom
  const shape = `notifications.watchers${customOnly ? '|custom' : ''}`
  const rows = await q.all(shape, args, (db, $) =>
    db
      .selectFrom(
        choosers(db, $, isWatching)
          .union(watchingMembers(db, $, isWatching))
          .as('w'),
      )
      .where('w.userId', '>', $('after'))
      .select('w.userId')
      .orderBy('w.userId')
      .limit($('limit')),
  )
  return rows.map(({ userId }) => userId)
}

type Condition = RawBuilder<SqlBool>

const isWatchOrCustom: Condition = sql`s.level in (2, 5)`
const isCustom: Condition = sql`s.level = 5`

function choosers(db: Kysely<Schema>, $: Param<WatcherArgs>, isWatching: Condition) {
  const ofProject = db
    .selectFrom('notificationSettings as s')
    .where('s.scope', '=', 'project')
    .where('s.scopeId', '=', $('projectId'))
    .where(isWatching)
    .select('s.userId')
  const ofGroups = db
    .selectFrom('namespaceAncestors as a')
    .crossJoin('notificationSettings as s')
    .whereRef('s.scopeId', '=', 'a.ancestorId')
    .where('s.scope', '=', 'group')
    .where('a.descendantId', '=', $('namespaceId'))
    .where(isWatching)
    .select('s.userId')
  return ofProject.union(ofGroups)
}

function watchingMembers(db: Kysely<Schema>, $: Param<WatcherArgs>, isWatching: Condition) {
  return db
    .selectFrom(memberIds(db, $).as('m'))
    .innerJoin('notificationSettings as s', 's.userId', 'm.userId')
    .where('s.scope', '=', 'global')
    .where('s.scopeId', '=', 0)
    .where(isWatching)
    .select('m.userId')
}

/** Members of the place by every path: direct, of a group around it, by a share, as its owner. */
function memberIds(db: Kysely<Schema>, $: Param<WatcherArgs>) {
  const direct = db
    .selectFrom('members as m')
    .where('m.sourceKind', '=', 'project')
    .where('m.sourceId', '=', $('projectId'))
    .where(current('m', $))
    .select('m.userId')
  const owner = db
    .selectFrom('namespaces as n')
    .where('n.id', '=', $('namespaceId'))
    .where('n.ownerId', 'is not', null)
    .select((eb) => eb.ref('n.ownerId').$notNull().as('userId'))
  return direct.union(groupMemberIds(db, $)).union(sharedMemberIds(db, $)).union(owner)
}

function groupMemberIds(db: Kysely<Schema>, $: Param<WatcherArgs>) {
  return db
    .selectFrom('namespaceAncestors as a')
    .crossJoin('members as m')
    .whereRef('m.sourceId', '=', 'a.ancestorId')
    .where('a.descendantId', '=', $('namespaceId'))
    .where('m.sourceKind', '=', 'group')
    .where(current('m', $))
    .select('m.userId')
}

function sharedMemberIds(db: Kysely<Schema>, $: Param<WatcherArgs>) {
  const ofProject = db
    .selectFrom('projectGroupLinks as link')
    .crossJoin('namespaceAncestors as above')
    .crossJoin('members as m')
    .whereRef('above.descendantId', '=', 'link.groupId')
    .whereRef('m.sourceId', '=', 'above.ancestorId')
    .where('link.projectId', '=', $('projectId'))
    .where(current('link', $))
    .where('m.sourceKind', '=', 'group')
    .where(current('m', $))
    .select('m.userId')
  const ofGroups = db
    .selectFrom('namespaceAncestors as around')
    .crossJoin('groupGroupLinks as link')
    .crossJoin('namespaceAncestors as above')
    .crossJoin('members as m')
    .whereRef('link.sharedGroupId', '=', 'around.ancestorId')
    .whereRef('above.descendantId', '=', 'link.sharedWithGroupId')
    .whereRef('m.sourceId', '=', 'above.ancestorId')
    .where('around.descendantId', '=', $('namespaceId'))
    .where(current('link', $))
    .where('m.sourceKind', '=', 'group')
    .where(current('m', $))
    .select('m.userId')
  return ofProject.union(ofGroups)
}

/** The next members of a place, by id, by whichever path they are one. */
export async function listPlaceMembers(q: Queries, args: WatcherArgs): Promise<number[]> {
  const rows = await q.all('notifications.members', args, (db, $) =>
    db
      .selectFrom(memberIds(db, $).as('m'))
      .where('m.userId', '>', $('after'))
      .select('m.userId')
      .orderBy('m.userId')
      .limit($('limit')),
  )
  return rows.map(({ userId }) => userId)
}
