import type { ProjectOrder, SortDirection } from '@stithy/core'
import { expressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { asBigint } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type Args, type Part, type ProjectFilter, projectParts } from './project-conditions.ts'
import {
  fullColumns,
  type ProjectRow,
  type SimpleProjectRow,
  simpleColumns,
} from './project-row.ts'

export interface ProjectListRequest extends ProjectFilter {
  orderBy?: ProjectOrder | undefined
  sort?: SortDirection | undefined
}

type Tables = Schema & { p: Schema['projects'] }
type Select = SelectQueryBuilder<Tables, 'p', object>

const orderColumns = {
  id: 'p.id',
  name: 'p.nameLower',
  path: 'p.pathLower',
  created_at: 'p.createdAt',
  updated_at: 'p.updatedAt',
  last_activity_at: 'p.lastActivityAt',
} as const satisfies Record<ProjectOrder, string>

/** Lists a page of projects with all their columns. At most three queries. */
export function listProjects(
  q: Queries,
  request: ProjectListRequest,
  page: PageRequest,
): Promise<Page<ProjectRow>> {
  const list = listQuery(request)
  const columns = (query: Select) =>
    query
      .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
      .leftJoin('users as o', 'o.id', 'n.ownerId')
      .select(fullColumns)
  return listPage(q, page, { ...list, shape: `${list.shape}|full`, columns })
}

/** Lists a page of projects with the columns of the simple shape. At most three queries. */
export function listProjectsSimply(
  q: Queries,
  request: ProjectListRequest,
  page: PageRequest,
): Promise<Page<SimpleProjectRow>> {
  const list = listQuery(request)
  const columns = (query: Select) =>
    query.innerJoin('namespaces as n', 'n.id', 'p.namespaceId').select(simpleColumns)
  return listPage(q, page, { ...list, shape: `${list.shape}|simple`, columns })
}

const eb = expressionBuilder<Tables, 'p'>()
const idColumn = eb.ref('p.id')
const plain = expressionBuilder<Schema, never>()

/** The parts of the list's query. */
function listQuery(request: ProjectListRequest) {
  const parts = projectParts(request)
  const names = parts.map((part) => part.name).join(',')
  const { orderBy = 'created_at', sort = 'desc' } = request
  const order = (query: Select): Select => {
    if (orderBy === 'id') return query.orderBy('p.id', sort)
    return query.orderBy(orderColumns[orderBy], sort).orderBy('p.id', sort)
  }
  const filtered = (db: From, $: Param<Args>) => filter(db, $, parts)
  return {
    shape: `projects.list|${names}|${orderBy}-${sort}`,
    countShape: `projects.list|${names}`,
    stamp: ['projects', 'members'] as const,
    args: Object.assign({}, ...parts.map((part) => part.args ?? {})) as Args,
    key: idColumn,
    from: (db: From, $: Param<Args>) => firstOfArms(db, $, parts, order) ?? filtered(db, $),
    count: (db: Kysely<Schema>, $: Param<Args>) =>
      filtered(db, $).select((e) => e.fn.countAll<number>().as('total')),
    order,
  }
}

type From = Kysely<Schema> | typeof plain

function filter(db: From, $: Param<Args>, parts: readonly Pick<Part, 'where'>[]): Select {
  return parts.reduce(
    (query: Select, part) => query.where(part.where(eb, $)),
    db.selectFrom('projects as p') as unknown as Select,
  )
}

/**
 * The projects among the first rows of each arm, which are found by its index: of the 10,000
 * projects of a group, and those shared with it, a page takes 0.1 ms instead of 11 that way, and of a
 * group with its subgroups instead of 24.
 */
function firstOfArms(
  db: From,
  $: Param<Args>,
  parts: readonly Part[],
  order: (query: Select) => Select,
): Select | undefined {
  const divided = parts.find((part) => part.arms !== undefined)
  if (divided?.arms === undefined) return undefined
  const others = parts.filter((part) => part !== divided)
  const [limit, offset] = [$('pageLimit') as number, $('pageOffset') as number].map(asBigint)
  const firsts = divided.arms.map((where) => {
    const rows = order(filter(plain, $, [...others, { where }]))
      .select('p.id')
      .limit(sql<number>`${limit} + ${offset}`)
    return plain.selectFrom(rows.as('first')).select('first.id')
  })
  const [first, ...more] = firsts
  if (first === undefined) return undefined
  const ids = more.reduce((all, next) => all.unionAll(next), first)
  return filter(db, $, [{ where: (e) => e('p.id', 'in', ids) }])
}
