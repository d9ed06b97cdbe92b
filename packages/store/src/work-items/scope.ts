import { expressionBuilder, sql } from 'kysely'
import type { CountMemory } from '../count-memory.ts'
import { countRows } from '../page.ts'
import type { Param, Queries } from '../queries.ts'
import { createRecentCache, type RecentCache } from '../recent-cache.ts'
import type { Schema } from '../schema/schema.ts'
import { inList } from '../sql.ts'
import type { StampName } from '../stamps.ts'
import { memberProjects, type ViewerKind, viewerArgs, viewerKind } from '../visibility.ts'
import { type Args, number, type Part } from './parts/conditions.ts'
import type { WorkItemPlace, WorkItemRequest } from './work-item-filter.ts'
import { type Condition, columnOf, type WorkItemTable } from './work-item-table.ts'

const eb = expressionBuilder<Schema, 'projects'>()

/** More projects, labels or milestones than this are not read one by one. */
export const maxLanes = 500

/**
 * Where a list looks: in one project, in some whose ids are known, or in whatever the caller may see, which
 * is then decided for each item.
 */
export type Scope =
  | { kind: 'project'; projectId: number; namespaceId: number }
  | { kind: 'projects'; ids: readonly number[] }
  | { kind: 'visible' }

/** The scope of a list, and the conditions that keep it to what the caller may see. */
export interface Bounds {
  scope: Scope
  parts: readonly Part[]
}

type Wide = Exclude<WorkItemPlace, { kind: 'project' }>

/** The arguments of every list hold those of the viewer. */
function viewer($: Param<Args>): Param<{ userId: number; today: string }> {
  return $ as unknown as Param<{ userId: number; today: string }>
}

/** The bounds of a list as they can be told without a query. */
export function plainBounds(table: WorkItemTable, request: WorkItemRequest): Bounds {
  const { place, caller } = request
  if (place.kind === 'project') return projectBounds(table, place)
  const kind = viewerKind(caller)
  const where: Part['where'] = ({ $ }) => table.visible(kind, viewer($))
  const seen: Part =
    kind === 'admin' ? { name: kind, where } : { name: kind, personal: true, where }
  const around = aroundParts(place).map(({ name, args, where: holds }): Part => {
    const inProjects = ({ $ }: { $: Param<Args> }) => holds($)
    return args === undefined ? { name, where: inProjects } : { name, args, where: inProjects }
  })
  return { scope: { kind: 'visible' }, parts: [seen, ...around] }
}

function projectBounds(
  table: WorkItemTable,
  place: Extract<WorkItemPlace, { kind: 'project' }>,
): Bounds {
  const { projectId, namespaceId, seesHidden } = place
  const inside: Part = {
    name: 'in-project',
    args: { projectId },
    where: ({ $, column }) => eb(column<number>('projectId'), '=', number($, 'projectId')),
  }
  const seen: Part = {
    name: 'own',
    personal: true,
    where: ({ $ }) => table.ownIn(viewer($)),
  }
  const scope = { kind: 'project', projectId, namespaceId } as const
  return { scope, parts: seesHidden ? [inside] : [inside, seen] }
}

/** A condition on projects alone. */
interface ProjectPart {
  name: string
  args?: Args
  where: ($: Param<Args>) => Condition
}

/** Which projects: those of the group, and no archived ones. */
function aroundParts(place: Wide): ProjectPart[] {
  const parts: ProjectPart[] = []
  if (place.kind === 'group') {
    parts.push({ name: 'in-group', args: { groupId: place.groupId }, where: inGroup })
  }
  if (!place.archived) parts.push({ name: 'living', where: () => sql`projects."archived" = 0` })
  return parts
}

function inGroup($: Param<Args>): Condition {
  const inside = eb
    .selectFrom('namespaceAncestors as inside')
    .where('inside.ancestorId', '=', number($, 'groupId'))
    .select('inside.descendantId')
  return eb('projects.namespaceId', 'in', inside)
}

/** What decides on which projects a caller sees. */
export const scopeStamps = ['groups', 'members', 'projects'] as const

export type Versions = Partial<Record<StampName, number>>

/** The projects that callers see, as they were at a version of what decides on that. */
interface Remembered {
  version: string
  /** Undefined where they are too many. */
  rows: SeenProject[] | undefined
}

/** Beside the counts of each database that remembers any. */
const memories = new WeakMap<CountMemory, RecentCache<Remembered>>()

function memoryOf(counts: CountMemory): RecentCache<Remembered> {
  const known = memories.get(counts) ?? createRecentCache<Remembered>(1000)
  memories.set(counts, known)
  return known
}

/**
 * The bounds with the projects by their ids, where these are few enough to be read one by one; else those
 * of `plainBounds`. No query for a single project, and none where the versions are those of the last time;
 * otherwise at most two.
 */
export async function resolveBounds(
  q: Queries,
  table: WorkItemTable,
  request: WorkItemRequest,
  versions: Versions,
): Promise<Bounds> {
  const plain = plainBounds(table, request)
  const { place } = request
  if (place.kind === 'project' || table.projects === undefined) return plain
  const rows = await rememberProjects(q, table, request, versions, () =>
    listProjects(q, table, request, place, versions),
  )
  if (rows === undefined) return plain
  const ids = rows.map((row) => row.id)
  const fullIds = rows.filter((row) => row.full === 1).map((row) => row.id)
  const inside: Part = {
    name: 'in-projects',
    args: { projectIds: ids },
    where: ({ $, column }) => inList(column('projectId'), $('projectIds') as readonly number[]),
  }
  const seen: Part = {
    name: 'own-or-full',
    personal: true,
    args: { fullIds },
    where: ({ $ }) => {
      const full = inList(columnOf(table, 'projectId'), $('fullIds') as readonly number[])
      return eb.or([table.ownIn(viewer($)), full])
    },
  }
  const parts = fullIds.length === ids.length ? [inside] : [inside, seen]
  return { scope: { kind: 'projects', ids }, parts }
}

type Projects = NonNullable<WorkItemTable['projects']>

interface SeenProject {
  id: number
  /** Whether nothing is hidden in it. */
  full: number
}

async function rememberProjects(
  q: Queries,
  table: WorkItemTable,
  { caller, today, place }: WorkItemRequest,
  versions: Versions,
  find: () => Promise<SeenProject[] | undefined>,
): Promise<SeenProject[] | undefined> {
  if (q.counts === undefined) return find()
  const memory = memoryOf(q.counts)
  const key = JSON.stringify([table.name, caller, today, place])
  const version = scopeStamps.map((name) => versions[name]).join()
  const known = memory.get(key)
  if (known?.version === version) return known.rows
  const rows = await find()
  memory.set(key, { version, rows })
  return rows
}

/** Projects of the place that the caller sees, unless they are too many. */
async function listProjects(
  q: Queries,
  table: WorkItemTable,
  request: WorkItemRequest,
  place: Wide,
  versions: Versions,
): Promise<SeenProject[] | undefined> {
  const { projects, name } = table
  if (projects === undefined) return undefined
  const kind = viewerKind(request.caller)
  const alike = kind === 'external' ? 'anonymous' : kind
  const open =
    place.kind === 'group' ? undefined : await countOpen(q, name, projects, alike, place, versions)
  if (open !== undefined && open > maxLanes) return undefined
  const access = open === 0 ? 'seek' : 'scan'
  const parts = aroundParts(place)
  const args: Args = {
    ...viewerArgs(request.caller, request.today),
    ...Object.assign({}, ...parts.map((part) => part.args ?? {})),
    limit: maxLanes + 1,
  }
  const shape = `${name}.projects|${kind}|${access}|${parts.map((part) => part.name).join()}`
  const rows = await q.all(shape, args, (db, $) =>
    parts
      .reduce(
        (query, part) => query.where(part.where($)),
        db.selectFrom('projects').where(seenProjects(projects, kind, access, $)),
      )
      .select(['projects.id', seesAll(kind, $).as('full')])
      .limit(number($, 'limit')),
  )
  return rows.length > maxLanes ? undefined : rows
}

function seenProjects(
  projects: Projects,
  kind: ViewerKind,
  access: 'seek' | 'scan',
  $: Param<Args>,
): Condition {
  if (kind === 'admin' || kind === 'anonymous') return projects.open(kind)
  const member = memberProjects(1, viewer($), 'projects', access)
  // Where nothing is open, memberships alone lead to the projects.
  const seen = access === 'seek' ? member : eb.or([projects.open(kind), member])
  return eb.and([projects.available(), seen])
}

function seesAll(kind: ViewerKind, $: Param<Args>) {
  if (kind === 'admin') return sql<number>`1`
  if (kind === 'anonymous') return sql<number>`0`
  return sql<number>`case when ${memberProjects(20, viewer($), 'projects', 'scan')} then 1 else 0 end`
}

/** How many projects are open to all callers of the kind; remembered. */
function countOpen(
  q: Queries,
  name: string,
  projects: Projects,
  kind: ViewerKind,
  { archived }: Wide,
  versions: Versions,
): Promise<number> {
  return countRows(q, {
    shape: `${name}.openProjects|${kind}|${archived}`,
    args: {},
    stamp: 'projects',
    versions: q.counts === undefined ? undefined : versions,
    build: (db) => {
      const open = db.selectFrom('projects').where(projects.open(kind))
      const shown = archived ? open : open.where('projects.archived', '=', 0)
      return shown.select((e) => e.fn.countAll<number>().as('total'))
    },
  })
}
