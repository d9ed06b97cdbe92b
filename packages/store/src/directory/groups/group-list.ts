import type { CallerFacts, GroupOrder, SortDirection } from '@stithy/core'
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { containing, inList, matches, unindexed } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { accessibleGroupIds, namespacesWithProjects } from '../members/memberships.ts'
import { memberGroups, viewerArgs, viewerKind, visibleGroups } from '../members/visibility.ts'
import { type GroupRow, groupColumns } from './group-row.ts'

export interface GroupListRequest {
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
  /** Only direct subgroups of this group. */
  parentId?: number | undefined
  skip?: readonly number[] | undefined
  /** Only groups in which the caller has at least this level. */
  minLevel?: number | undefined
  /** Only groups in which the caller is a member, or a member of a project. */
  authorized?: boolean | undefined
  search?: string | undefined
  /** Only groups with all of these values. */
  customAttributes?: Readonly<Record<string, string>> | undefined
  idAfter?: number | undefined
  idBefore?: number | undefined
  orderBy?: GroupOrder | undefined
  sort?: SortDirection | undefined
}

type Tables = Schema & { n: Schema['namespaces'] }
type Select = SelectQueryBuilder<Tables, 'n', object>
type Args = Record<string, string | number | readonly number[]>
type Where = (eb: ExpressionBuilder<Tables, 'n'>, $: Param<Args>) => Expression<SqlBool>

interface Part {
  name: string
  args?: Args
  where: Where
}

const orderColumns = { id: 'n.id', name: 'n.nameLower', path: 'n.pathLower' } as const
const plain = expressionBuilder<Schema, never>()

/** Lists a page of the groups that the caller may see. At most three queries. */
export function listGroups(
  q: Queries,
  request: GroupListRequest,
  page: PageRequest,
): Promise<Page<GroupRow>> {
  const list = describe(request)
  const columns = (query: Select) => query.select(groupColumns)
  return listPage(q, page, { ...list, columns, stamp: ['groups', 'members', 'projects'] })
}

const eb = expressionBuilder<Tables, 'n'>()
const idColumn = eb.ref('n.id')

function describe(request: GroupListRequest) {
  const parts = groupParts(request)
  const { orderBy = 'name', sort = 'asc' } = request
  const names = parts.map((part) => part.name).join(',')
  return {
    shape: `groups.list|${names}|${orderBy}-${sort}`,
    countShape: `groups.list|${names}`,
    args: Object.assign({}, ...parts.map((part) => part.args ?? {})) as Args,
    key: idColumn,
    from: (db: Kysely<Schema>, $: Param<Args>): Select =>
      parts.reduce(
        (query: Select, part) => query.where(part.where(eb, $)),
        db.selectFrom('namespaces as n') as unknown as Select,
      ),
    order: (query: Select): Select => {
      if (orderBy === 'id') return query.orderBy('n.id', sort)
      // The caller has few groups: they are sorted, rather than found by walking all groups in
      // order.
      const column = request.authorized
        ? unindexed(eb.ref(orderColumns[orderBy]))
        : orderColumns[orderBy]
      return query.orderBy(column, sort).orderBy('n.id', sort)
    },
  }
}

function viewer($: Param<Args>): Param<{ userId: number; today: string }> {
  return $ as unknown as Param<{ userId: number; today: string }>
}

function groupParts(request: GroupListRequest): Part[] {
  // Whoever belongs to a group sees it.
  const kind = request.authorized ? 'admin' : viewerKind(request.caller)
  const access = request.parentId === undefined ? 'scan' : 'seek'
  return [
    {
      name: kind,
      args: { ...viewerArgs(request.caller, request.today) },
      where: (_, $) => visibleGroups(kind, viewer($), 'n', access),
    },
    ...scopeParts(request),
    ...searchParts(request),
    ...attributeParts(request.customAttributes),
  ]
}

/** The levels that filters may name; each has a separate query text. */
const levels = [1, 10, 20, 30, 40, 50] as const

function scopeParts({
  parentId,
  skip,
  minLevel = 0,
  authorized,
  idAfter,
  idBefore,
}: GroupListRequest): Part[] {
  const parts: Part[] = []
  const level = levels.find((candidate) => candidate >= minLevel)
  if (parentId !== undefined) {
    const where: Where = (eb, $) => eb('n.parentId', '=', $('parentId') as number)
    parts.push({ name: 'below', args: { parentId }, where })
  }
  if (skip !== undefined && skip.length > 0) {
    const where: Where = (eb, $) => eb.not(inList(eb.ref('n.id'), $('skip') as number[]))
    parts.push({ name: 'skip', args: { skip }, where })
  }
  if (minLevel > 0 && level !== undefined) {
    const where: Where = (_, $) => memberGroups(level, viewer($), 'n')
    parts.push({ name: `level-${level}`, where })
  }
  if (authorized) parts.push({ name: 'authorized', where: belongingToViewer })
  if (idAfter !== undefined) {
    const where: Where = (eb, $) => eb('n.id', '>', $('idAfter') as number)
    parts.push({ name: 'after', args: { idAfter }, where })
  }
  if (idBefore !== undefined) {
    const where: Where = (eb, $) => eb('n.id', '<', $('idBefore') as number)
    parts.push({ name: 'before', args: { idBefore }, where })
  }
  return parts
}

/** One list of ids rather than two conditions, so that the planner can start from it. */
const belongingToViewer: Where = (eb, $) => {
  const holding = plain
    .selectFrom('namespaceAncestors as around')
    .where('around.descendantId', 'in', namespacesWithProjects(viewer($)))
    .select('around.ancestorId as id')
  const member = accessibleGroupIds(viewer($), 1)
  return eb('n.id', 'in', member.union(holding))
}

function searchParts({ search }: GroupListRequest): Part[] {
  if (search === undefined || search === '') return []
  const where: Where = (eb, $) =>
    eb.or([
      matches(eb.ref('n.nameLower'), $('search') as string),
      matches(eb.ref('n.pathLower'), $('search') as string),
    ])
  return [{ name: 'search', args: { search: containing(search.toLowerCase()) }, where }]
}

function attributeParts(attributes: Readonly<Record<string, string>> = {}): Part[] {
  return Object.entries(attributes).map(([key, value], index) => {
    const where: Where = (eb, $) =>
      eb(
        'n.id',
        'in',
        plain
          .selectFrom('customAttributes')
          .where('ownerKind', '=', 'group')
          .where('key', '=', $(`key${index}`) as string)
          .where('value', '=', $(`value${index}`) as string)
          .select('ownerId'),
      )
    const args = { [`key${index}`]: key, [`value${index}`]: value }
    return { name: `attribute${index}`, args, where }
  })
}
