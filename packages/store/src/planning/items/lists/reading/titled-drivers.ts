import { sql } from 'kysely'
import type { Queries } from '../../../../platform/queries/queries.ts'
import { inList } from '../../../../platform/queries/sql.ts'
import type { Args, Context, Part } from '../parts/conditions.ts'
import { maxPartitions, type Scope } from '../scope.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf, type ListedTable } from '../work-item-table.ts'
import type { Driver, Link, Partitions } from './driver.ts'

/**
 * The driver for a milestone or a label; undefined if neither is in the filter, `nothing` if none
 * with the title exists. At most one query, none for a single project.
 */
export async function titledDriver(
  q: Queries,
  table: ListedTable,
  scope: Scope,
  { milestone, labels }: WorkItemFilter,
): Promise<Driver | 'nothing' | undefined> {
  if (typeof milestone === 'object') {
    const source = await findTitled(q, table, scope, 'milestones', milestone.is)
    return source === 'nothing' ? source : milestoneDriver(source)
  }
  const title = typeof labels === 'object' ? labels.is[0] : undefined
  if (title === undefined) return undefined
  const source = await findTitled(q, table, scope, 'labels', title)
  return source === 'nothing' ? source : labelDriver(table, scope, source)
}

type TitledTable = 'labels' | 'milestones'
/** The source of the labels or milestones; `kind` distinguishes the ways of finding them. */
type Source = Pick<Partitions, 'count' | 'source'> & { kind: string; args: Args }

/**
 * Finds labels or milestones by title: in a project its own and those of ancestor groups, elsewhere
 * all of them.
 */
async function findTitled(
  q: Queries,
  { owner }: ListedTable,
  scope: Scope,
  table: TitledTable,
  title: string,
): Promise<Source | 'nothing'> {
  if (scope.kind === 'project') return inProject(table, title, scope.namespaceId)
  const ids = await (scope.kind === 'visible'
    ? idsAnywhere(q, table, title)
    : owner.table === 'projects'
      ? idsInProjects(q, table, title, scope.ids)
      : idsInGroups(q, table, title, scope.ids))
  if (ids.length === 0) return 'nothing'
  if (ids.length > maxPartitions) return everywhere(table, title)
  const source = ({ $ }: Context) => {
    const isOne = inList(sql.ref('named.id'), $('partitionIds') as readonly number[])
    return sql`select named."id" as "value" from ${sql.table(table)} as named where ${isOne}`
  }
  return { kind: 'known', count: ids.length, source, args: { partitionIds: ids } }
}

function inProject(table: TitledTable, title: string, namespaceId: number): Source {
  const source = ({ $ }: Context) => {
    const from = sql`select named."id" as "value" from ${sql.table(table)} as named
      where named."title" = ${$('partitionTitle')}`
    return sql`${from} and named."projectId" = ${$('projectId')}
      union all ${from} and named."groupId" in (
        select "ancestorId" from "namespaceAncestors" where "descendantId" = ${$('namespaceId')})`
  }
  return { kind: 'near', count: 3, source, args: { partitionTitle: title, namespaceId } }
}

/** Too many for one partition each: usable for look-ups only. */
function everywhere(table: TitledTable, title: string): Source {
  const source = ({ $ }: Context) =>
    sql`select named."id" as "value" from ${sql.table(table)} as named
      where named."title" = ${$('partitionTitle')}`
  return { kind: 'many', count: Number.POSITIVE_INFINITY, source, args: { partitionTitle: title } }
}

async function idsAnywhere(q: Queries, table: TitledTable, title: string): Promise<number[]> {
  const args = { title, limit: maxPartitions + 1 }
  const rows = await q.all(`workItems.titled|${table}`, args, (db, $) =>
    db.selectFrom(table).where('title', '=', $('title')).select('id').limit($('limit')),
  )
  return rows.map((row) => row.id)
}

/** Of the projects themselves, and of their ancestor groups. */
async function idsInProjects(
  q: Queries,
  table: TitledTable,
  title: string,
  projectIds: readonly number[],
): Promise<number[]> {
  const args = { title, projectIds, limit: maxPartitions + 1 }
  const rows = await q.all(`workItems.titledIn|${table}`, args, (db, $) => {
    const titled = db.selectFrom(table).where('title', '=', $('title')).select('id')
    const above = db
      .selectFrom('projects')
      .innerJoin('namespaceAncestors as above', 'above.descendantId', 'projects.namespaceId')
      .where(inList('projects.id', $('projectIds')))
      .select('above.ancestorId')
    return titled
      .where(inList(`${table}.projectId` as 'labels.projectId', $('projectIds')))
      .unionAll(titled.where('groupId', 'in', above))
      .limit($('limit'))
  })
  return rows.map((row) => row.id)
}

/** Of the groups themselves, and of those above them. */
async function idsInGroups(
  q: Queries,
  table: TitledTable,
  title: string,
  groupIds: readonly number[],
): Promise<number[]> {
  const args = { title, groupIds, limit: maxPartitions + 1 }
  const rows = await q.all(`workItems.titledInGroups|${table}`, args, (db, $) =>
    db
      .selectFrom(table)
      .where('title', '=', $('title'))
      .where('groupId', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors as above')
          .where(inList(sql.ref('above.descendantId'), $('groupIds')))
          .select('above.ancestorId'),
      )
      .select('id')
      .limit($('limit')),
  )
  return rows.map((row) => row.id)
}

function milestoneDriver({ kind, count, source, args }: Source): Driver {
  const within = ({ table }: Context): Condition =>
    sql`${columnOf(table, 'milestoneId')} = partition."value"`
  const condition = (context: Context): Condition =>
    sql`${columnOf(context.table, 'milestoneId')} in (${source(context)})`
  const answers = (part: Part) => part.name === 'milestone'
  const partitions = { count, source, within }
  return {
    name: `milestone-${kind}`,
    args,
    indexed: ['createdAt'],
    inOrder: false,
    condition,
    answers,
    partitions,
  }
}

function labelDriver(
  table: ListedTable,
  scope: Scope,
  { kind, count, source, args }: Source,
): Driver {
  const inProject = scope.kind === 'project'
  const links = ({ $ }: Context): Condition =>
    inProject
      ? sql`linked."targetType" = ${sql.lit(table.type)} and linked."projectId" = ${$('projectId')}`
      : sql`linked."targetType" = ${sql.lit(table.type)}`
  const within = (context: Context): Condition =>
    sql`linked."labelId" = partition."value" and ${links(context)}`
  const condition = (context: Context): Condition =>
    sql`${columnOf(table, 'id')} in (select linked."targetId" from "labelLinks" as linked
      where linked."labelId" in (${source(context)}) and ${links(context)})`
  const link: Link = { table: 'labelLinks', item: 'targetId' }
  const answers = (part: Part) => part.name === 'label0'
  const partitions = { count, source, within, link }
  return {
    name: `label-${kind}`,
    args,
    indexed: [],
    inOrder: false,
    condition,
    answers,
    partitions,
  }
}
