import { sql } from 'kysely'
import type { Queries } from '../../queries.ts'
import { inList } from '../../sql.ts'
import type { Args, Context, Part } from '../parts/conditions.ts'
import { maxLanes, type Scope } from '../scope.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf, type WorkItemTable } from '../work-item-table.ts'
import type { Driver, Lanes, Link } from './driver.ts'

/**
 * The driver of a milestone or a label; undefined where neither is looked for, `nothing` where no such thing
 * exists. At most one query, none for a single project.
 */
export async function titledDriver(
  q: Queries,
  table: WorkItemTable,
  scope: Scope,
  { milestone, labels }: WorkItemFilter,
): Promise<Driver | 'nothing' | undefined> {
  if (typeof milestone === 'object') {
    const source = await findTitled(q, scope, 'milestones', milestone.is)
    return source === 'nothing' ? source : milestoneDriver(source)
  }
  const title = typeof labels === 'object' ? labels.is[0] : undefined
  if (title === undefined) return undefined
  const source = await findTitled(q, scope, 'labels', title)
  return source === 'nothing' ? source : labelDriver(table, scope, source)
}

type Things = 'labels' | 'milestones'
/** Where the things come from; `kind` tells apart how they are asked for. */
type Source = Pick<Lanes, 'count' | 'source'> & { kind: string; args: Args }

/** Things with a title: in a project its own and those of the groups above, elsewhere whatever has it. */
async function findTitled(
  q: Queries,
  scope: Scope,
  things: Things,
  title: string,
): Promise<Source | 'nothing'> {
  if (scope.kind === 'project') return inProject(things, title, scope.namespaceId)
  const ids = await (scope.kind === 'projects'
    ? idsInProjects(q, things, title, scope.ids)
    : idsAnywhere(q, things, title))
  if (ids.length === 0) return 'nothing'
  if (ids.length > maxLanes) return everywhere(things, title)
  const source = ({ $ }: Context) => {
    const isOne = inList(sql.ref('named.id'), $('laneIds') as readonly number[])
    return sql`select named."id" as "value" from ${sql.table(things)} as named where ${isOne}`
  }
  return { kind: 'known', count: ids.length, source, args: { laneIds: ids } }
}

function inProject(things: Things, title: string, namespaceId: number): Source {
  const source = ({ $ }: Context) => {
    const from = sql`select named."id" as "value" from ${sql.table(things)} as named
      where named."title" = ${$('laneTitle')}`
    return sql`${from} and named."projectId" = ${$('projectId')}
      union all ${from} and named."groupId" in (
        select "ancestorId" from "namespaceAncestors" where "descendantId" = ${$('namespaceId')})`
  }
  return { kind: 'near', count: 3, source, args: { laneTitle: title, namespaceId } }
}

/** Too many to be read one by one: they are good for a look-up alone. */
function everywhere(things: Things, title: string): Source {
  const source = ({ $ }: Context) =>
    sql`select named."id" as "value" from ${sql.table(things)} as named
      where named."title" = ${$('laneTitle')}`
  return { kind: 'many', count: Number.POSITIVE_INFINITY, source, args: { laneTitle: title } }
}

async function idsAnywhere(q: Queries, things: Things, title: string): Promise<number[]> {
  const args = { title, limit: maxLanes + 1 }
  const rows = await q.all(`workItems.titled|${things}`, args, (db, $) =>
    db.selectFrom(things).where('title', '=', $('title')).select('id').limit($('limit')),
  )
  return rows.map((row) => row.id)
}

/** Of the projects themselves, and of the groups above them. */
async function idsInProjects(
  q: Queries,
  things: Things,
  title: string,
  projectIds: readonly number[],
): Promise<number[]> {
  const args = { title, projectIds, limit: maxLanes + 1 }
  const rows = await q.all(`workItems.titledIn|${things}`, args, (db, $) => {
    const titled = db.selectFrom(things).where('title', '=', $('title')).select('id')
    const above = db
      .selectFrom('projects')
      .innerJoin('namespaceAncestors as above', 'above.descendantId', 'projects.namespaceId')
      .where(inList('projects.id', $('projectIds')))
      .select('above.ancestorId')
    return titled
      .where(inList(`${things}.projectId` as 'labels.projectId', $('projectIds')))
      .unionAll(titled.where('groupId', 'in', above))
      .limit($('limit'))
  })
  return rows.map((row) => row.id)
}

function milestoneDriver({ kind, count, source, args }: Source): Driver {
  const within = ({ table }: Context): Condition =>
    sql`${columnOf(table, 'milestoneId')} = lane."value"`
  const condition = (context: Context): Condition =>
    sql`${columnOf(context.table, 'milestoneId')} in (${source(context)})`
  const answers = (part: Part) => part.name === 'milestone'
  const lanes = { count, source, within }
  return {
    name: `milestone-${kind}`,
    args,
    bare: ['createdAt'],
    inOrder: false,
    condition,
    answers,
    lanes,
  }
}

function labelDriver(
  table: WorkItemTable,
  scope: Scope,
  { kind, count, source, args }: Source,
): Driver {
  const inProject = scope.kind === 'project'
  const links = ({ $ }: Context): Condition =>
    inProject
      ? sql`tie."targetType" = ${sql.lit(table.type)} and tie."projectId" = ${$('projectId')}`
      : sql`tie."targetType" = ${sql.lit(table.type)}`
  const within = (context: Context): Condition =>
    sql`tie."labelId" = lane."value" and ${links(context)}`
  const condition = (context: Context): Condition =>
    sql`${columnOf(table, 'id')} in (select tie."targetId" from "labelLinks" as tie
      where tie."labelId" in (${source(context)}) and ${links(context)})`
  const link: Link = { table: 'labelLinks', item: 'targetId' }
  const answers = (part: Part) => part.name === 'label0'
  const lanes = { count, source, within, link }
  return { name: `label-${kind}`, args, bare: [], inOrder: false, condition, answers, lanes }
}
