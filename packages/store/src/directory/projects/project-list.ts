import type { ProjectOrder, SortDirection } from '@stithy/core'
import { expressionBuilder, type Kysely, type SelectQueryBuilder } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type Args, type ProjectFilter, projectParts } from './project-conditions.ts'
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

/** The parts of the list's query. */
function listQuery(request: ProjectListRequest) {
  const parts = projectParts(request)
  const { orderBy = 'created_at', sort = 'desc' } = request
  const names = parts.map((part) => part.name).join(',')
  return {
    shape: `projects.list|${names}|${orderBy}-${sort}`,
    countShape: `projects.list|${names}`,
    stamp: ['projects', 'members'] as const,
    args: Object.assign({}, ...parts.map((part) => part.args ?? {})) as Args,
    key: eb.ref('p.id'),
    from: (db: Kysely<Schema>, $: Param<Args>): Select =>
      parts.reduce(
        (query: Select, part) => query.where(part.where(eb, $)),
        db.selectFrom('projects as p') as unknown as Select,
      ),
    order: (query: Select): Select => {
      if (orderBy === 'id') return query.orderBy('p.id', sort)
      return query.orderBy(orderColumns[orderBy], sort).orderBy('p.id', sort)
    },
  }
}
