import { anonymous, type CallerFacts } from '@stithy/core'
import {
  type Expression,
  expressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Param } from '../../platform/queries/queries.ts'
import { inList, least } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { current } from './current.ts'
import type { ViewerArgs } from './memberships.ts'
import { viewerKind, visibleGroups } from './visibility.ts'

/** Which memberships are candidates for the one that a user is listed with. */
export interface CandidateFilter {
  kind: 'project' | 'group'
  /** Includes those in ancestor groups, and through shares. */
  inherited: boolean
  /** Those through shares to groups that this caller can't read are left out. */
  viewer: CallerFacts | undefined
  /** Only those of `userIds`. */
  some: boolean
}

/**
 * Arguments of the queries; `sourceId` is the project or group, `aroundId` the namespace of its
 * groups.
 */
export interface CandidateArgs {
  sourceId: number
  aroundId: number
  /** `YYYY-MM-DD` */
  today: string
  userIds?: readonly number[]
  viewerId?: number
}

export interface Candidate {
  userId: number
  accessLevel: number
  expiresOn: string | null
  /** The lowest counts: -1 for a direct membership, then the distance of the group. */
  rank: number
}

type Candidates = SelectQueryBuilder<Schema, never, Candidate>

const eb = expressionBuilder<Schema, never>()
const userId = sql.ref<number>('m.userId')

/** The memberships of the users of a project or group; a user may have several. */
export function candidates(filter: CandidateFilter, $: Param<CandidateArgs>): Candidates {
  if (!filter.inherited) return ownMembers(filter, $)
  const throughGroups = inheritedMembers(filter, $).unionAll(
    sharedMembers(groupLinks($), filter, $),
  )
  if (filter.kind === 'group') return throughGroups
  return ownMembers(filter, $)
    .unionAll(throughGroups)
    .unionAll(sharedMembers(projectLinks($), filter, $))
}

function ownMembers({ kind, some }: CandidateFilter, $: Param<CandidateArgs>): Candidates {
  return eb
    .selectFrom('members as m')
    .where('m.sourceKind', '=', kind)
    .where('m.sourceId', '=', $('sourceId'))
    .where(current('m', $))
    .$if(some, (query) => query.where(inList(userId, $('userIds') as number[])))
    .select(['m.userId', 'm.accessLevel', 'm.expiresOn', sql<number>`-1`.as('rank')])
}

function inheritedMembers({ some }: CandidateFilter, $: Param<CandidateArgs>): Candidates {
  return (
    eb
      .selectFrom('namespaceAncestors as a')
      // SQLite keeps the order of a cross join; otherwise it starts with all members of all groups.
      .crossJoin('members as m')
      .whereRef('m.sourceId', '=', 'a.ancestorId')
      .where('a.descendantId', '=', $('aroundId'))
      .where('m.sourceKind', '=', 'group')
      .where(current('m', $))
      .$if(some, (query) => query.where(inList(userId, $('userIds') as number[])))
      .select(['m.userId', 'm.accessLevel', 'm.expiresOn', 'a.distance as rank'])
  )
}

/** Whether `viewer` can read the group `g`; the filter uses `userId` already. */
function seenBy(viewer: CallerFacts, $: Param<CandidateArgs>): Expression<SqlBool> {
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
function projectLinks($: Param<CandidateArgs>): Links {
  return eb
    .selectFrom('projectGroupLinks as link')
    .where('link.projectId', '=', $('sourceId'))
    .select(['link.groupId', 'link.groupAccess', 'link.expiresOn'])
}

/** The shares of the group and its ancestors. */
function groupLinks($: Param<CandidateArgs>): Links {
  return eb
    .selectFrom('namespaceAncestors as around')
    .crossJoin('groupGroupLinks as link')
    .where('around.descendantId', '=', $('aroundId'))
    .whereRef('link.sharedGroupId', '=', 'around.ancestorId')
    .select(['link.sharedWithGroupId as groupId', 'link.groupAccess', 'link.expiresOn'])
}

function sharedMembers(
  links: Links,
  { viewer, some }: CandidateFilter,
  $: Param<CandidateArgs>,
): Candidates {
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
      .$if(some, (query) => query.where(inList(userId, $('userIds') as number[])))
      .select((e) => [
        'm.userId',
        least(e.ref('m.accessLevel'), e.ref('l.groupAccess')).as('accessLevel'),
        'm.expiresOn',
        shareRank.as('rank'),
      ])
  )
}
