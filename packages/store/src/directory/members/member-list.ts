import type { CallerFacts } from '@stithy/core'
import { expressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import {
  countList,
  isBeyond,
  type Page,
  type PageRequest,
  readPlaced,
} from '../../platform/queries/page.ts'
import type { Build, Param, Queries } from '../../platform/queries/queries.ts'
import { containing, matches } from '../../platform/queries/sql.ts'
import type { StampName } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import type { UserRefRow } from '../users/user-row.ts'
import {
  type Candidate,
  type CandidateArgs,
  type CandidateFilter,
  candidates,
} from './member-candidates.ts'
import { viewerKind } from './visibility.ts'

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
}

interface Args extends CandidateArgs {
  search?: string
  limit?: number
  offset?: number
}

/** Lists a page of members, each user once, by user id. At most four queries. */
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
      matching(db, $, filter).select((eb) =>
        eb.fn.count<number>('member.userId').distinct().as('total'),
      ),
  })
  const { total } = count
  if (isBeyond(page, total)) return { items: [], total, ...page }
  const offset = (page.page - 1) * page.perPage
  const paged = { ...args, limit: page.perPage, offset }
  const shape = `members.page|${name}`
  const read = <R>(build: Build<typeof paged, R>): Promise<R[]> =>
    readPlaced(q, { shape, end: offset + page.perPage, count }, (place) =>
      place.all(shape, paged, build),
    )
  if (!filter.inherited) {
    const items = await read((db, $) =>
      matchingUsers(db, $, filter)
        .select(memberColumns)
        .orderBy('member.userId')
        .limit($('limit') as number)
        .offset($('offset') as number),
    )
    return { items, total, ...page }
  }
  const users = await read((db, $) =>
    matching(db, $, filter)
      .select('member.userId')
      .distinct()
      .orderBy('member.userId')
      .limit($('limit') as number)
      .offset($('offset') as number),
  )
  // Which of the memberships of a user counts is found for the users of the page alone.
  const userIds = users.map((user) => user.userId)
  return { items: await readMembers(q, filter, userIds), total, ...page }
}

/** One member, with the level that `listMembers` shows. */
export async function findMember(
  q: Queries,
  { userId, ...filter }: Omit<MemberFilter, 'search'> & { userId: number },
): Promise<MemberRow | undefined> {
  const [member] = await readMembers(q, filter, [userId])
  return member
}

/** Those of the users who are members, by id. */
function readMembers(
  q: Queries,
  { search: _, ...filter }: MemberFilter,
  userIds: readonly number[],
): Promise<MemberRow[]> {
  const { name, args } = describe(filter)
  return q.all(`members.these|${name}`, { ...args, userIds }, (db, $) =>
    db
      .selectFrom(nearest(candidateFilter(filter, true), $).as('member'))
      .innerJoin('users', 'users.id', 'member.userId')
      .select(memberColumns)
      .orderBy('member.userId'),
  )
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

/** The stamps that a count of members depends on. */
function stampsOf(filter: MemberFilter): StampName[] {
  const visibility: StampName[] = viewerOf(filter) === undefined ? [] : ['groups', 'projects']
  return ['members', ...visibility, ...(filter.search === undefined ? [] : (['users'] as const))]
}

/** The caller who limits the members through shares; undefined for no limit. */
function viewerOf({ of, inherited }: MemberFilter): CallerFacts | undefined {
  return inherited ? of.sharesVisibleTo : undefined
}

function candidateFilter(filter: MemberFilter, some: boolean): CandidateFilter {
  const { of, inherited } = filter
  return { kind: of.kind, inherited, viewer: viewerOf(filter), some }
}

function describe(filter: MemberFilter) {
  const { of, inherited, today, search } = filter
  const sourceId = of.kind === 'project' ? of.projectId : of.groupId
  const aroundId = of.kind === 'project' ? of.namespaceId : of.groupId
  const args: Args = { sourceId, aroundId, today }
  const names = [of.kind, inherited ? 'all' : 'direct']
  if (search !== undefined) {
    args.search = containing(search.toLowerCase())
    names.push('search')
  }
  const viewer = viewerOf(filter)
  if (viewer !== undefined) {
    args.viewerId = viewer.userId ?? 0
    names.push(`visible-to-${viewerKind(viewer)}`)
  }
  return { name: names.join('-'), args }
}

type Tables = Schema & { member: Candidate }

/** The memberships of all users that match the filter; a user may have several. */
function matching(db: Kysely<Schema>, $: Param<Args>, filter: MemberFilter) {
  if (filter.search !== undefined) {
    return matchingUsers(db, $, filter) as unknown as SelectQueryBuilder<Tables, 'member', object>
  }
  return db.selectFrom(candidates(candidateFilter(filter, false), $).as('member'))
}

/** `matching`, with the users. */
function matchingUsers(db: Kysely<Schema>, $: Param<Args>, filter: MemberFilter) {
  return db
    .selectFrom(candidates(candidateFilter(filter, false), $).as('member'))
    .innerJoin('users', 'users.id', 'member.userId')
    .$if(filter.search !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          matches('users.nameLower', $('search') as string),
          matches('users.usernameLower', $('search') as string),
        ]),
      ),
    )
}

const eb = expressionBuilder<Schema, never>()

/**
 * For each user the nearest membership: the direct one, else that of the nearest ancestor group,
 * else the highest one through a share.
 */
function nearest(filter: CandidateFilter, $: Param<CandidateArgs>) {
  const all = candidates(filter, $)
  if (!filter.inherited) return all
  const ranked = eb
    .selectFrom(all.as('c'))
    .select(['c.userId', 'c.accessLevel', 'c.expiresOn'])
    .select(
      sql<number>`row_number() over (partition by ${sql.ref('c.userId')} order by ${sql.ref('c.rank')}, ${sql.ref('c.accessLevel')} desc)`.as(
        'rank',
      ),
    )
  return eb
    .selectFrom(ranked.as('r'))
    .where('r.rank', '=', 1)
    .select(['r.userId', 'r.accessLevel', 'r.expiresOn', 'r.rank'])
}
