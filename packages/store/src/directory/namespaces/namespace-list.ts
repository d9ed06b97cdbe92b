import type { CallerFacts } from '@stithy/core'
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import { inBackground, type Param, type Queries } from '../../platform/queries/queries.ts'
import { containing, inList, matches } from '../../platform/queries/sql.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { current } from '../members/current.ts'
import type { ViewerArgs } from '../members/memberships.ts'
import { memberGroups, viewerArgs } from '../members/visibility.ts'
import type { NamespaceKey } from './namespace-store.ts'

/** A namespace as lists show it; the avatar of a personal one is its user's. */
export type ListedNamespace = Pick<
  Row<'namespaces'>,
  'id' | 'name' | 'path' | 'kind' | 'fullPath' | 'parentId' | 'avatar' | 'ownerId'
> & { ownerAvatar: string | null }

/** Which of a user's namespaces are listed. */
export interface NamespaceScope {
  /** The user's level in groups. */
  minLevel: number
  /** Whether the personal one is listed too. */
  personal: boolean
}

export interface NamespaceFilter {
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
  search?: string | undefined
  /** Of the callers who are no administrators; by default all groups that they are members of. */
  scope?: NamespaceScope | undefined
}

type Tables = Schema & { n: Schema['namespaces'] }
type Builder = ExpressionBuilder<Tables, 'n'>
type Select = SelectQueryBuilder<Tables, 'n', object>
type Args = ViewerArgs & { search: string; key: string | number }

const columns = [
  'n.id',
  'n.name',
  'n.path',
  'n.kind',
  'n.fullPath',
  'n.parentId',
  'n.avatar',
  'n.ownerId',
  'o.avatar as ownerAvatar',
] as const

/** Lists a page of the caller's namespaces, or of all for administrators. At most three queries. */
export function listNamespaces(
  q: Queries,
  filter: NamespaceFilter,
  page: PageRequest,
): Promise<Page<ListedNamespace>> {
  const { name, args } = describe(filter)
  const from = (db: Kysely<Schema>, $: Param<Args>) => fromNamespaces(db, $, filter)
  return listPage(q, page, {
    shape: `namespaces.list|${name}`,
    args,
    stamp: ['groups', 'members', 'users'],
    key: idColumn,
    from,
    order: (query: Select) => query.orderBy('n.id'),
    columns: (query: Select) => query.leftJoin('users as o', 'o.id', 'n.ownerId').select(columns),
  })
}

/** One of the caller's namespaces, or any for administrators. */
export function findListedNamespace(
  q: Queries,
  filter: NamespaceFilter,
  key: NamespaceKey,
): Promise<ListedNamespace | undefined> {
  const { name, args } = describe(filter)
  const [column, value] =
    'id' in key ? (['id', key.id] as const) : (['fullPathLower', key.fullPathLower] as const)
  return q.first(`namespaces.one|${name}|${column}`, { ...args, key: value }, (db, $) =>
    fromNamespaces(db, $, filter)
      .where(`n.${column}`, '=', $('key'))
      .leftJoin('users as o', 'o.id', 'n.ownerId')
      .select(columns),
  )
}

const eb = expressionBuilder<Tables, 'n'>()
const idColumn = eb.ref('n.id')

const memberships: NamespaceScope = { minLevel: 1, personal: true }

function describe(filter: NamespaceFilter): { name: string; args: Args } {
  const { caller, today, search, scope = memberships } = filter
  const args = { ...viewerArgs(caller, today), search: containing((search ?? '').toLowerCase()) }
  const own = `${scope.personal ? 'own' : 'groups'}-${scope.minLevel}`
  const name = `${caller.admin ? 'all' : own}${search === undefined ? '' : '-search'}`
  return { name, args: { ...args, key: '' } }
}

function fromNamespaces(db: Kysely<Schema>, $: Param<Args>, filter: NamespaceFilter): Select {
  let query = db.selectFrom('namespaces as n') as unknown as Select
  query = query.where('n.deletedAt', 'is', null)
  if (!filter.caller.admin) query = query.where((e) => belongsToViewer(e, $, filter.scope))
  if (filter.search === undefined) return query
  return query.where((e) =>
    e.or([
      matches(e.ref('n.nameLower'), $('search')),
      matches(e.ref('n.fullPathLower'), $('search')),
    ]),
  )
}

function belongsToViewer(
  e: Builder,
  $: Param<Args>,
  { minLevel, personal }: NamespaceScope = memberships,
): Expression<SqlBool> {
  const groups = memberGroups(minLevel, $, 'n')
  return personal ? e.or([e('n.ownerId', '=', $('userId')), groups]) : groups
}

/**
 * How many users are members of each of the groups or their descendants; only for groups that the
 * user owns or, with `everywhere`, for all.
 */
export async function countMembersBelow(
  q: Queries,
  args: ViewerArgs & { groupIds: readonly number[]; everywhere: boolean },
): Promise<Map<number, number>> {
  const { everywhere, ...rest } = args
  const rows = await inBackground(q).all(`namespaces.members|${everywhere}`, rest, (db, $) =>
    db
      .selectFrom('namespaces as n')
      .innerJoin('namespaceAncestors as a', 'a.ancestorId', 'n.id')
      .leftJoin('members as m', (join) =>
        join
          .onRef('m.sourceId', '=', 'a.descendantId')
          .on('m.sourceKind', '=', 'group')
          .on(current('m', $)),
      )
      .where((e) => inList(e.ref('n.id'), $('groupIds')))
      .$if(!everywhere, (query) => query.where(memberGroups(50, $, 'n')))
      .groupBy('n.id')
      .select((e) => ['n.id', e.fn.count<number>('m.userId').distinct().as('total')]),
  )
  return new Map(rows.map((row) => [row.id, row.total]))
}
