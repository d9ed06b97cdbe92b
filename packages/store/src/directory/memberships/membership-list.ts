import type { Kysely } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { current } from '../members/current.ts'
import type { MemberSource } from '../members/member-store.ts'

/** A direct membership, with the name of its project or group. */
export interface NamedMembershipRow extends MemberSource {
  sourceName: string | null
  accessLevel: number
}

export interface MembershipFilter {
  userId: number
  /** Default: both. */
  sourceKind?: MemberSource['sourceKind'] | undefined
  /** `YYYY-MM-DD`: memberships that ended before it are left out. */
  today: string
}

interface Args {
  userId: number
  sourceKind: string
  today: string
}

/** Lists the direct memberships of a user: those in groups, then in projects, by id. Two queries. */
export function listMemberships(
  q: Queries,
  { userId, sourceKind, today }: MembershipFilter,
  request: PageRequest,
): Promise<Page<NamedMembershipRow>> {
  return listPage(q, request, {
    shape: `memberships.of-user|${sourceKind === undefined ? 'all' : 'kind'}`,
    args: { userId, sourceKind: sourceKind ?? 'project', today },
    stamp: ['members', 'projects', 'groups'],
    key: 'members.id',
    from: (db, $) => memberships(db, $, sourceKind !== undefined),
    order: (query) => query.orderBy('members.sourceKind').orderBy('members.sourceId'),
    columns: (query) =>
      query.select((eb) => [
        'members.sourceKind',
        'members.sourceId',
        'members.accessLevel',
        eb.fn.coalesce('projects.name', 'namespaces.name').as('sourceName'),
      ]),
  })
}

function memberships(db: Kysely<Schema>, $: Param<Args>, ofOneKind: boolean) {
  return db
    .selectFrom('members')
    .leftJoin('projects', (join) =>
      join
        .on('members.sourceKind', '=', 'project')
        .onRef('projects.id', '=', 'members.sourceId')
        .on('projects.deletedAt', 'is', null),
    )
    .leftJoin('namespaces', (join) =>
      join
        .on('members.sourceKind', '=', 'group')
        .onRef('namespaces.id', '=', 'members.sourceId')
        .on('namespaces.deletedAt', 'is', null),
    )
    .where('members.userId', '=', $('userId'))
    .where(current('members', $))
    .where((eb) => eb.or([eb('projects.id', 'is not', null), eb('namespaces.id', 'is not', null)]))
    .$if(ofOneKind, (query) => query.where('members.sourceKind', '=', $('sourceKind') as never))
}
