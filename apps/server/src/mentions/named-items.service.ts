import { decideOnGroup, decideOnProject, type Reference } from '@stithy/core'
import {
  findEpicsById,
  findIssuesById,
  findMergeRequestsById,
  findSnippetsById,
  type ItemNumber,
  listIssueAssignees,
  listItemIds,
  listMergeRequestAssignees,
  listNamedGroups,
  listNamedProjects,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { Caller } from '../http/call.ts'
import type { CommitItem, Item, WorkItem } from '../items/item.ts'
import { mayReadIn } from '../items/readers.service.ts'
import { dayOf } from '../members/day.ts'
import { type ProjectSubject, projectFacts } from '../projects/project-subject.ts'

/** What is told of being named. */
export type ReferableItem = Exclude<Item, CommitItem>

/** A reference to something that is told of it. */
export type ItemReference = Extract<Reference, { kind: ReferableItem['type'] }>

export function isItemReference(reference: Reference): reference is ItemReference {
  return ['issue', 'merge_request', 'snippet', 'epic'].includes(reference.kind)
}

/** Where a text stands: what its references without a path are looked for in. */
export interface Context {
  project: ProjectSubject | undefined
  group: GroupSubject | undefined
  /** Of the namespace around, in which `project#1` is looked for; undefined for a personal snippet. */
  around: string | undefined
}

/**
 * The items that a text of `item` refers to, as far as the caller may read them, each once, in no order. A
 * constant number of queries, and only for the kinds that are named.
 */
export async function findNamedItems(
  app: App,
  caller: Caller,
  item: Item,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  return findItemsIn(app, caller, contextOf(item), references)
}

/** `findNamedItems` of a text that belongs to no item. */
export async function findItemsIn(
  app: App,
  caller: Caller,
  context: Context,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  if (references.length === 0) return []
  const projects = await projectsOf(app, caller, context, references)
  const inProjects = (kind: 'issue' | 'merge_request') =>
    numbers(references, kind, (reference) => projects.get(projectPath(context, reference) ?? ''))
  return [
    ...(await readIssues(app, caller, projects, inProjects('issue'))),
    ...(await readMergeRequests(app, caller, projects, inProjects('merge_request'))),
    ...(await readSnippets(app, caller, context, projects, references)),
    ...(await readEpics(app, caller, context, references)),
  ]
}

function contextOf(item: Item): Context {
  if (item.type === 'epic') {
    return { project: undefined, group: item.group, around: item.group.row.fullPath }
  }
  const around = item.project?.row.namespaceFullPath
  return { project: item.project, group: undefined, around }
}

/** The full path, in lower case, of the project that a reference means. */
function projectPath({ project, around }: Context, { path }: ItemReference): string | undefined {
  if (path === null) return project?.row.fullPath.toLowerCase()
  if (path.includes('/')) return path.toLowerCase()
  return around === undefined ? undefined : `${around}/${path}`.toLowerCase()
}

type ProjectsByPath = ReadonlyMap<string, ProjectSubject>

async function projectsOf(
  app: App,
  caller: Caller,
  context: Context,
  references: readonly ItemReference[],
): Promise<ProjectsByPath> {
  const found = new Map<string, ProjectSubject>()
  const own = context.project
  if (own !== undefined) found.set(own.row.fullPath.toLowerCase(), own)
  const named = references
    .filter(({ kind }) => kind !== 'epic')
    .flatMap((reference) => projectPath(context, reference) ?? [])
  const paths = [...new Set(named)].filter((path) => !found.has(path))
  if (paths.length === 0) return found
  const viewer = { userId: caller.facts.userId ?? 0, today: dayOf(app.now()) }
  for (const row of await listNamedProjects(app.db, { ...viewer, paths })) {
    const facts = projectFacts(row, row, caller.facts)
    if (!decideOnProject('read_project', caller.facts, facts).allowed) continue
    found.set(row.fullPath.toLowerCase(), { row, facts })
  }
  return found
}

function numbers(
  references: readonly ItemReference[],
  kind: ItemReference['kind'],
  placeOf: (reference: ItemReference) => { row: { id: number } } | undefined,
): ItemNumber[] {
  return references
    .filter((reference) => reference.kind === kind)
    .flatMap((reference) => {
      const place = placeOf(reference)
      return place === undefined ? [] : [{ placeId: place.row.id, iid: reference.id }]
    })
}

/** Those of the rows that the caller may read, as items of their projects. */
function readable<Row extends { projectId: number }>(
  caller: Caller,
  projects: ProjectsByPath,
  rows: readonly Row[],
  toItem: (row: Row, project: ProjectSubject) => WorkItem,
): ReferableItem[] {
  const places = new Map([...projects.values()].map((project) => [project.row.id, project]))
  return rows.flatMap((row) => {
    const project = places.get(row.projectId)
    if (project === undefined) return []
    const item = toItem(row, project)
    return mayReadIn(item, project.facts, caller.facts) ? [item] : []
  })
}

async function readIssues(
  app: App,
  caller: Caller,
  projects: ProjectsByPath,
  named: readonly ItemNumber[],
): Promise<ReferableItem[]> {
  if (named.length === 0) return []
  const ids = await listItemIds(app.db, 'issue', named)
  if (ids.length === 0) return []
  const rows = await findIssuesById(app.db, ids)
  const assigned = Map.groupBy(await listIssueAssignees(app.db, ids), ({ issueId }) => issueId)
  return readable(caller, projects, rows, (row, project) => {
    const assigneeIds = (assigned.get(row.id) ?? []).map(({ userId }) => userId)
    return { type: 'issue', row, project, assigneeIds }
  })
}

async function readMergeRequests(
  app: App,
  caller: Caller,
  projects: ProjectsByPath,
  named: readonly ItemNumber[],
): Promise<ReferableItem[]> {
  if (named.length === 0) return []
  const ids = await listItemIds(app.db, 'merge_request', named)
  if (ids.length === 0) return []
  const rows = await findMergeRequestsById(app.db, ids)
  const links = await listMergeRequestAssignees(app.db, ids)
  const assigned = Map.groupBy(links, ({ mergeRequestId }) => mergeRequestId)
  return readable(caller, projects, rows, (row, project) => {
    const assigneeIds = (assigned.get(row.id) ?? []).map(({ userId }) => userId)
    return { type: 'merge_request', row, project, assigneeIds }
  })
}

/** Snippets are named by id; one counts where its project is the one that the reference means. */
async function readSnippets(
  app: App,
  caller: Caller,
  context: Context,
  projects: ProjectsByPath,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  const named = references.filter(({ kind }) => kind === 'snippet')
  if (named.length === 0) return []
  const rows = await findSnippetsById(app.db, [...new Set(named.map(({ id }) => id))])
  return rows.flatMap((row) => {
    const meant = named
      .filter(({ id }) => id === row.id)
      .map((reference) => projects.get(projectPath(context, reference) ?? ''))
    const project = meant.find((place) => place?.row.id === row.projectId)
    if (project === undefined) return []
    const item = { type: 'snippet', row, project } as const
    return mayReadIn(item, project.facts, caller.facts) ? [item] : []
  })
}

async function readEpics(
  app: App,
  caller: Caller,
  { group, around }: Context,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  const named = references.filter(({ kind }) => kind === 'epic')
  const pathOf = ({ path }: ItemReference) => (path ?? around)?.toLowerCase()
  const own = group?.row.fullPath.toLowerCase()
  const paths = [...new Set(named.flatMap((reference) => pathOf(reference) ?? []))]
  if (paths.length === 0) return []
  const groups = new Map<string, GroupSubject>()
  const others = paths.filter((path) => path !== own)
  if (group !== undefined && own !== undefined) groups.set(own, group)
  if (others.length > 0) await addGroups(app, caller, others, groups)
  const numbered = numbers(named, 'epic', (reference) => groups.get(pathOf(reference) ?? ''))
  const ids = numbered.length === 0 ? [] : await listItemIds(app.db, 'epic', numbered)
  const rows = ids.length === 0 ? [] : await findEpicsById(app.db, ids)
  const places = new Map([...groups.values()].map((place) => [place.row.id, place]))
  return rows.flatMap((row) => {
    const place = places.get(row.groupId)
    return place === undefined ? [] : [{ type: 'epic', row, group: place } as const]
  })
}

async function addGroups(
  app: App,
  caller: Caller,
  paths: readonly string[],
  groups: Map<string, GroupSubject>,
): Promise<void> {
  const viewer = { userId: caller.facts.userId ?? 0, today: dayOf(app.now()) }
  for (const { level, ...row } of await listNamedGroups(app.db, { ...viewer, paths })) {
    const { visibility } = row
    const facts = { visibility, level: level ?? 0, holdsReadableProject: false }
    if (!decideOnGroup('read_epics', caller.facts, facts).allowed) continue
    groups.set(row.fullPath.toLowerCase(), { row, facts })
  }
}
