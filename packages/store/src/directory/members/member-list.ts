import { anonymous, type CallerFacts } from '@stithy/core'
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import {
  countList,
  isBeyond,
  type Page,
  type PageRequest,
  readPlaced,
} from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { containing, least, matches } from '../../platform/queries/sql.ts'
import type { StampName } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import type { UserRefRow } from '../users/user-row.ts'
import { current } from './current.ts'
import type { ViewerArgs } from './memberships.ts'
import { viewerKind, visibleGroups } from './visibility.ts'

/** A user with their level as a list of members shows it. */
export interface MemberRow extends UserRefRow {
  accessLevel: number
  /** The last day of the membership, `YYYY-MM-DD`. */
  expiresOn: string | null
}

/**
 * The project or group whose members are listed. `sharesVisibleTo` limits members through shares to
 * groups that this caller can read; without it all are listed.
 */
export type MembersOf = (
  | { kind: 'project'; projectId: number; namespaceId: number }
  | { kind: 'group'; groupId: number }
) & { sharesVisibleTo?: CallerFacts | undefined }

export interface MemberFilter {
  of: MembersOf
  /**
   * Includes inherited members: of ancestor groups, and of the groups that these or the project are
   * shared with.
   */
  inherited: boolean
  /** `YYYY-MM-DD`: memberships that ended before it are left out. */
  today: string
  /** Part of a name or a username. */
  search?: string | undefined
  /** Only this user. */
  userId?: number | undefined
}

/**
 * Arguments of the queries; `sourceId` is the project or group, `aroundId` the namespace of its
 * groups.
 */
interface Args {
  sourceId: number
  aroundId: number
  today: string
  search?: string
  userId?: number
  viewerId?: number
  limit?: number
  offset?: number
}

/** Lists a page of members, each user once, by user id. At most three queries. */
export async function listMembers(
  q: Queries,
  filter: MemberFilter,
  page: PageRequest,
): Promise<Page<MemberRow>> {
  const { name, args } = describe(filter)
  const count = await countList(q, {
    shape: `members.count|${name}`,
    args,
    stamp: stampsOf(filter),
    build: (db, $) =>
      fromMembers(db, $, filter).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  const { total } = count
  if (isBeyond(page, total)) return { items: [], total, ...page }
  const offset = (page.page - 1) * page.perPage
  const paged = { ...args, limit: page.perPage, offset }
  const shape = `members.list|${name}`
  const items = await readPlaced(q, { shape, end: offset + page.perPage, count }, (place) =>
    place.all(shape, paged, (db, $) =>
      fromMembers(db, $, filter)
        .select(memberColumns)
        // Not by users.id: the planner would walk all users for that order.
        .orderBy('member.userId')
        .limit($('limit') as number)
        .offset($('offset') as number),
    ),
  )
  return { items, total, ...page }
}

/** One member, with the level that `listMembers` shows. */
export function findMember(
  q: Queries,
  filter: MemberFilter & { userId: number },
): Promise<MemberRow | undefined> {
  const { name, args } = describe(filter)
  return q.first(`members.one|${name}`, args, (db, $) =>
    fromMembers(db, $, filter).select(memberColumns),
  )
}

/** The stamps that a count of members depends on. */
function stampsOf(filter: MemberFilter): StampName[] {
  const visibility: StampName[] = viewerOf(filter) === undefined ? [] : ['groups', 'projects']
  return ['members', ...visibility, ...(filter.search === undefined ? [] : (['users'] as const))]
}

/** The caller who limits the members through shares; undefined for no limit. */
function viewerOf({ of, inherited }: MemberFilter): CallerFacts | undefined {
  return inherited ? of.sharesVisibleTo : undefined
}

const memberColumns = [
  'users.id',
  'users.username',
  'users.name',
  'users.state',
  'users.avatar',
  'member.accessLevel',
  'member.expiresOn',
] as const

function describe(filter: MemberFilter) {
  const { of, inherited, today, search, userId } = filter
  const sourceId = of.kind === 'project' ? of.projectId : of.groupId
  const aroundId = of.kind === 'project' ? of.namespaceId : of.groupId
  const args: Args = { sourceId, aroundId, today }
  const names = [of.kind, inherited ? 'all' : 'direct']
  if (search !== undefined) {
    args.search = containing(search.toLowerCase())
    names.push('search')
  }
  if (userId !== undefined) {
    args.userId = userId
    names.push('user')
  }
  const viewer = viewerOf(filter)
  if (viewer !== undefined) {
    args.viewerId = viewer.userId ?? 0
    names.push(`visible-to-${viewerKind(viewer)}`)
  }
  return { name: names.join('-'), args }
}

type Candidate = { userId: number; accessLevel: number; expiresOn: string | null }
type Tables = Schema & { member: Candidate }

/** Users joined with their one effective membership. */
function fromMembers(db: Kysely<Schema>, $: Param<Args>, filter: MemberFilter) {
  const users = (eb: ExpressionBuilder<Tables, 'member' | 'users'>) =>
    eb.or([
      matches('users.nameLower', $('search') as string),
      matches('users.usernameLower', $('search') as string),
    ])
  return db
    .selectFrom(nearest(filter, $).as('member'))
    .innerJoin('users', 'users.id', 'member.userId')
    .$if(filter.search !== undefined, (query) =>
      query.where((eb) => users(eb as unknown as ExpressionBuilder<Tables, 'member' | 'users'>)),
    )
}

const eb = expressionBuilder<Schema, never>()
type Nearest = SelectQueryBuilder<Schema, never, Candidate>

/**
 * For each user the nearest membership: the direct one, else that of the nearest ancestor group,
 * else the highest one through a share.
 */
function nearest(filter: MemberFilter, $: Param<Args>): Nearest {
  const { of, inherited, userId } = filter
  const direct = ownMembers(of.kind, userId !== undefined, $)
  if (!inherited) return direct.select(['m.userId', 'm.accessLevel', 'm.expiresOn'])
  const [one, viewer] = [userId !== undefined, viewerOf(filter)]
  const throughGroups = inheritedMembers(one, $).unionAll(
    sharedMembers(groupLinks($), one, viewer, $),
  )
  const candidates =
    of.kind === 'group'
      ? throughGroups
      : direct
          .select(['m.userId', 'm.accessLevel', 'm.expiresOn', sql<number>`-1`.as('rank')])
          .unionAll(throughGroups)
          .unionAll(sharedMembers(projectLinks($), one, viewer, $))
  const ranked = eb
    .selectFrom(candidates.as('c'))
    .select(['c.userId', 'c.accessLevel', 'c.expiresOn'])
    .select(
      sql<number>`row_number() over (partition by ${sql.ref('c.userId')} order by ${sql.ref('c.rank')}, ${sql.ref('c.accessLevel')} desc)`.as(
        'rank',
      ),
    )
  return eb
    .selectFrom(ranked.as('r'))
    .where('r.rank', '=', 1)
    .select(['r.userId', 'r.accessLevel', 'r.expiresOn'])
}

function ownMembers(kind: 'project' | 'group', one: boolean, $: Param<Args>) {
  return eb
    .selectFrom('members as m')
    .where('m.sourceKind', '=', kind)
    .where('m.sourceId', '=', $('sourceId'))
    .where(current('m', $))
    .$if(one, (query) => query.where('m.userId', '=', $('userId') as number))
}

function inheritedMembers(one: boolean, $: Param<Args>) {
  return (
    eb
      .selectFrom('namespaceAncestors as a')
      // SQLite keeps the order of a cross join; otherwise it starts with all members of all groups.
      .crossJoin('members as m')
      .whereRef('m.sourceId', '=', 'a.ancestorId')
      .where('a.descendantId', '=', $('aroundId'))
      .where('m.sourceKind', '=', 'group')
      .where(current('m', $))
      .$if(one, (query) => query.where('m.userId', '=', $('userId') as number))
      .select(['m.userId', 'm.accessLevel', 'm.expiresOn', 'a.distance as rank'])
  )
}

/** Whether `viewer` can read the group `g`; the filter uses `userId` already. */
function seenBy(viewer: CallerFacts, $: Param<Args>): Expression<SqlBool> {
  const names = { userId: 'viewerId', today: 'today' } as const
  const viewerArgs = ((name: keyof typeof names) => $(names[name])) as Param<ViewerArgs>
  return visibleGroups(viewerKind(viewer), viewerArgs, 'g')
}

/** A greater distance than any ancestor group has. */
const shareRank = sql<number>`1000`

type Links = SelectQueryBuilder<
  Schema,
  never,
  { groupId: number; groupAccess: number; expiresOn: string | null }
>

/** The shares of the project. */
function projectLinks($: Param<Args>): Links {
  return eb
    .selectFrom('projectGroupLinks as link')
    .where('link.projectId', '=', $('sourceId'))
    .select(['link.groupId', 'link.groupAccess', 'link.expiresOn'])
}

/** The shares of the group and its ancestors. */
function groupLinks($: Param<Args>): Links {
  return eb
    .selectFrom('namespaceAncestors as around')
    .crossJoin('groupGroupLinks as link')
    .where('around.descendantId', '=', $('aroundId'))
    .whereRef('link.sharedGroupId', '=', 'around.ancestorId')
    .select(['link.sharedWithGroupId as groupId', 'link.groupAccess', 'link.expiresOn'])
}

function sharedMembers(
  links: Links,
  one: boolean,
  viewer: CallerFacts | undefined,
  $: Param<Args>,
) {
  return (
    eb
      .selectFrom(links.as('l'))
      // Starts with the few shares, not all groups.
      .crossJoin('namespaces as g')
      .whereRef('g.id', '=', 'l.groupId')
      .innerJoin('namespaceAncestors as a', 'a.descendantId', 'l.groupId')
      // SQLite keeps the order of a cross join; otherwise it starts with all members of all groups.
      .crossJoin('members as m')
      .whereRef('m.sourceId', '=', 'a.ancestorId')
      .where('m.sourceKind', '=', 'group')
      .where('g.deletedAt', 'is', null)
      .where(current('l', $))
      .where(current('m', $))
      .$if(viewer !== undefined, (query) => query.where(seenBy(viewer ?? anonymous, $)))
      .$if(one, (query) => query.where('m.userId', '=', $('userId') as number))
      .select((e) => [
        'm.userId',
        least(e.ref('m.accessLevel'), e.ref('l.groupAccess')).as('accessLevel'),
        'm.expiresOn',
        shareRank.as('rank'),
      ])
  )
}
