import { expressionBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import {
  memberProjects,
  type ViewerKind,
  viewerArgs,
  viewerKind,
} from '../../../directory/members/visibility.ts'
import type { CountCache } from '../../../platform/queries/count-cache.ts'
import { countRows } from '../../../platform/queries/page.ts'
import type { Param, Queries } from '../../../platform/queries/queries.ts'
import { inList, unindexed } from '../../../platform/queries/sql.ts'
import { type Stamp, stampOf, type Versions } from '../../../platform/queries/stamps.ts'
import type { Schema } from '../../../platform/schema/schema.ts'
import { type Args, number, type Part } from './parts/conditions.ts'
import type { WorkItemListScope, WorkItemRequest } from './work-item-filter.ts'
import {
  type Condition,
  columnOf,
  type ListedTable,
  type WorkItemTable,
} from './work-item-table.ts'

const eb = expressionBuilder<Schema, 'projects'>()

/** With more projects, labels or milestones than this, there is no partition for each. */
export const maxPartitions = 500

/**
 * The scope of a list: one project, a set of ids of projects or groups, or everything that the caller
 * may see, which is then decided for each item.
 */
export type Scope =
  | { kind: 'project'; projectId: number; namespaceId: number }
  | { kind: 'owners'; ids: readonly number[] }
  | { kind: 'visible' }

/** The scope of a list, and the conditions that limit it to what the caller may see. */
export interface Bounds {
  scope: Scope
  parts: readonly Part[]
}

export type WideScope = Exclude<WorkItemListScope, { kind: 'project' }>

/** The arguments of every list include those of the viewer. */
function viewer($: Param<Args>): Param<{ userId: number; today: string }> {
  return $ as unknown as Param<{ userId: number; today: string }>
}

/** The bounds of a list as known without a query. */
export function plainBounds(table: WorkItemTable, request: WorkItemRequest): Bounds {
  const { scope: listScope, caller } = request
  if (listScope.kind === 'project') return projectBounds(table, listScope)
  const kind = viewerKind(caller)
  const where: Part['where'] = ({ $ }) => table.visible(kind, viewer($))
  const visible: Part =
    kind === 'admin' ? { name: kind, where } : { name: kind, personal: true, where }
  const around = projectParts(listScope).map(({ name, args, where: holds }): Part => {
    const inProjects = ({ $ }: { $: Param<Args> }) => holds($)
    return args === undefined ? { name, where: inProjects } : { name, args, where: inProjects }
  })
  return { scope: { kind: 'visible' }, parts: [visible, ...around] }
}

function projectBounds(
  table: WorkItemTable,
  listScope: Extract<WorkItemListScope, { kind: 'project' }>,
): Bounds {
  const { projectId, namespaceId, includesHidden } = listScope
  const inside: Part = {
    name: 'in-project',
    args: { projectId },
    where: ({ $, column }) => eb(column<number>('projectId'), '=', number($, 'projectId')),
  }
  const visible: Part = {
    name: 'own',
    personal: true,
    where: ({ $ }) => table.ownIn(viewer($)),
  }
  const scope = { kind: 'project', projectId, namespaceId } as const
  return { scope, parts: includesHidden ? [inside] : [inside, visible] }
}

/** A condition on projects only. */
interface ProjectPart {
  name: string
  args?: Args
  where: ($: Param<Args>) => Condition
}

/** The projects of the scope: those of the group, archived ones left out. */
function projectParts(listScope: WideScope): ProjectPart[] {
  const parts: ProjectPart[] = []
  if (listScope.kind === 'group') {
    parts.push({ name: 'in-group', args: { groupId: listScope.groupId }, where: inGroup })
  }
  if (!listScope.archived)
    parts.push({ name: 'not-archived', where: () => sql`projects."archived" = 0` })
  return parts
}

function inGroup($: Param<Args>): Condition {
  const inside = eb
    .selectFrom('namespaceAncestors as inside')
    .where('inside.ancestorId', '=', number($, 'groupId'))
    .select('inside.descendantId')
  return eb('projects.namespaceId', 'in', inside)
}

/** The stamps that a caller's visible projects depend on. */
export const scopeStamps = ['groups', 'members', 'projects'] as const

/** The visible projects of a caller, cached by the versions of these stamps. */
interface CachedProjects {
  version: string
  /** Undefined if there are too many. */
  rows: VisibleProject[] | undefined
}

/** One cache per database, keyed by its count cache. */
const caches = new WeakMap<CountCache, LRUCache<string, CachedProjects>>()

function cacheOf(counts: CountCache): LRUCache<string, CachedProjects> {
  const cached = caches.get(counts) ?? new LRUCache<string, CachedProjects>({ max: 1000 })
  caches.set(counts, cached)
  return cached
}

/**
 * The bounds with the projects by their ids, if there are few enough; else those of `plainBounds`.
 * No query for a single project, and none if the versions are unchanged; otherwise at most two.
 */
export async function resolveBounds(
  q: Queries,
  table: WorkItemTable,
  request: WorkItemRequest,
  versions: Versions,
): Promise<Bounds> {
  const plain = plainBounds(table, request)
  const { scope: listScope } = request
  if (listScope.kind === 'project') return plain
  const rows = await cacheProjects(q, table, request, versions, () =>
    listProjects(q, table, request, listScope, versions),
  )
  if (rows === undefined) return plain
  const ids = rows.map((row) => row.id)
  const fullIds = rows.filter((row) => row.full === 1).map((row) => row.id)
  const inside = insideOwners(table, ids)
  const visible: Part = {
    name: 'own-or-full',
    personal: true,
    args: { fullIds },
    where: ({ $ }) => {
      const full = inList(columnOf(table, 'projectId'), $('fullIds') as readonly number[])
      return eb.or([table.ownIn(viewer($)), full])
    },
  }
  const parts = fullIds.length === ids.length ? [inside] : [inside, visible]
  return { scope: { kind: 'owners', ids }, parts }
}

/** The condition that items belong to one of these projects or groups. */
export function insideOwners({ owner }: ListedTable, ids: readonly number[]): Part {
  return {
    name: 'in-owners',
    args: { ownerIds: ids },
    where: ({ $, column }) => inList(column(owner.column), $('ownerIds') as readonly number[]),
  }
}

/**
 * The bounds of a list of a group or of everything, with the projects selected once, and not
 * decided for each item: for reading many items, of any number of projects.
 */
export function boundsByProject(
  table: WorkItemTable,
  scope: WideScope,
  kind: ViewerKind,
): readonly Part[] {
  const parts = projectParts(scope)
  const visible = ($: Param<Args>) =>
    parts.reduce(
      (query, part) => query.where(part.where($)),
      eb
        .selectFrom('projects')
        .where(projectsVisibleTo(table.projects, kind, 'scan', $))
        .select('projects.id'),
    )
  const inside: Part = {
    name: `by-project-${kind}-${parts.map((part) => part.name).join('-')}`,
    personal: true,
    args: Object.assign({}, ...parts.map((part) => part.args ?? {})),
    where: ({ $ }) => eb(unindexed(columnOf<number>(table, 'projectId')), 'in', visible($)),
  }
  if (kind === 'admin') return [inside]
  const own: Part = {
    name: 'own-or-full',
    personal: true,
    where: ({ $ }) => {
      const full = eb
        .selectFrom('projects')
        .where(table.projects.full(kind, viewer($)))
        .select('projects.id')
      return eb.or([
        table.ownIn(viewer($)),
        eb(unindexed(columnOf<number>(table, 'projectId')), 'in', full),
      ])
    },
  }
  return [inside, own]
}

type Projects = WorkItemTable['projects']

interface VisibleProject {
  id: number
  /** Whether no items are hidden in it. */
  full: number
}

/** The stamps of more projects cost more to read than a new count now and then. */
const maxProjectStamps = 20

/** The stamps of the items in these projects or groups. */
export function itemStamps({ name }: ListedTable, projectIds: readonly number[]): Stamp[] {
  if (name === 'epics') return [name]
  return projectIds.length > maxProjectStamps ? [name] : projectIds.map((id) => stampOf(name, id))
}

/**
 * The stamps of the items in the projects that the caller saw last, so that they are read together
 * with those of the scope; none if nothing is cached.
 */
export function lastItemStamps(
  q: Queries,
  table: WorkItemTable,
  request: WorkItemRequest,
): Stamp[] {
  if (q.counts === undefined) return []
  const rows = cacheOf(q.counts).get(projectsKey(table, request))?.rows ?? []
  return itemStamps(
    table,
    rows.map((row) => row.id),
  )
}

function projectsKey({ name }: WorkItemTable, { caller, today, scope }: WorkItemRequest): string {
  return JSON.stringify([name, caller, today, scope])
}

async function cacheProjects(
  q: Queries,
  table: WorkItemTable,
  request: WorkItemRequest,
  versions: Versions,
  find: () => Promise<VisibleProject[] | undefined>,
): Promise<VisibleProject[] | undefined> {
  if (q.counts === undefined) return find()
  const cache = cacheOf(q.counts)
  const key = projectsKey(table, request)
  const version = scopeStamps.map((name) => versions[name]).join()
  const cached = cache.get(key)
  if (cached?.version === version) return cached.rows
  const rows = await find()
  cache.set(key, { version, rows })
  return rows
}

/** Lists the projects of the scope that the caller can see, unless there are too many. */
async function listProjects(
  q: Queries,
  table: WorkItemTable,
  request: WorkItemRequest,
  listScope: WideScope,
  versions: Versions,
): Promise<VisibleProject[] | undefined> {
  const { projects, name } = table
  const kind = viewerKind(request.caller)
  const openKind = kind === 'external' ? 'anonymous' : kind
  const open =
    listScope.kind === 'group'
      ? undefined
      : await countOpen(q, name, projects, openKind, listScope, versions)
  if (open !== undefined && open > maxPartitions) return undefined
  const access = open === 0 ? 'seek' : 'scan'
  const parts = projectParts(listScope)
  const args: Args = {
    ...viewerArgs(request.caller, request.today),
    ...Object.assign({}, ...parts.map((part) => part.args ?? {})),
    limit: maxPartitions + 1,
  }
  const shape = `${name}.projects|${kind}|${access}|${parts.map((part) => part.name).join()}`
  const rows = await q.all(shape, args, (db, $) =>
    parts
      .reduce(
        (query, part) => query.where(part.where($)),
        db.selectFrom('projects').where(projectsVisibleTo(projects, kind, access, $)),
      )
      .select(['projects.id', canSeeAll(projects, kind, $).as('full')])
      .limit(number($, 'limit')),
  )
  return rows.length > maxPartitions ? undefined : rows
}

function projectsVisibleTo(
  projects: Projects,
  kind: ViewerKind,
  access: 'seek' | 'scan',
  $: Param<Args>,
): Condition {
  if (kind === 'admin' || kind === 'anonymous') return projects.open(kind)
  const member = memberProjects(1, viewer($), 'projects', access)
  // If no project is open, memberships alone lead to the projects.
  const visible = access === 'seek' ? member : eb.or([projects.open(kind), member])
  return eb.and([projects.available(), visible])
}

function canSeeAll({ full }: Projects, kind: ViewerKind, $: Param<Args>) {
  return sql<number>`case when ${full(kind, viewer($))} then 1 else 0 end`
}

/** Counts the projects that are open to all callers of the kind; cached. */
function countOpen(
  q: Queries,
  name: string,
  projects: Projects,
  kind: ViewerKind,
  { archived }: WideScope,
  versions: Versions,
): Promise<number> {
  return countRows(q, {
    shape: `${name}.openProjects|${kind}|${archived}`,
    args: {},
    stamp: ['projects'],
    versions: q.counts === undefined ? undefined : versions,
    build: (db) => {
      const open = db.selectFrom('projects').where(projects.open(kind))
      const listed = archived ? open : open.where('projects.archived', '=', 0)
      return listed.select((e) => e.fn.countAll<number>().as('total'))
    },
  })
}
