import { decideOnGroup, decideOnProject, type ItemReference } from '@stithy/core'
import {
  type ItemNumber,
  listEpicsById,
  listIssueAssignees,
  listIssuesById,
  listItemIds,
  listMentionedGroups,
  listMentionedProjects,
  listMergeRequestAssignees,
  listMergeRequestsById,
  listSnippetsById,
} from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import { type ProjectSubject, projectFacts } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { CommitItem, Item, ItemDraft, WorkItem } from '../items/item.ts'
import { mayReadItem } from '../items/item-access.ts'

/** An item that gets a system note when it is mentioned. */
export type ReferableItem = Exclude<Item, CommitItem>

/** The project or group in which references without a path are resolved. */
export interface ReferenceContext {
  project: ProjectSubject | undefined
  group: GroupSubject | undefined
  /** The namespace in which `project#1` is resolved; undefined for a personal snippet. */
  namespacePath: string | undefined
}

/**
 * Finds the items that a text of `item` refers to and that the caller may read: each once, without
 * long descriptions, in no particular order. A constant number of queries, and only for the kinds of
 * references in the text.
 */
export async function findReferencedItems(
  app: App,
  caller: Caller,
  item: ItemDraft,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  return findReferencedItemsIn(app, caller, contextOf(item), references)
}

/** `findReferencedItems` for a text in a project or group. */
export async function findReferencedItemsIn(
  app: App,
  caller: Caller,
  context: ReferenceContext,
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

function contextOf(item: ItemDraft): ReferenceContext {
  if (item.type === 'epic') {
    return { project: undefined, group: item.group, namespacePath: item.group.row.fullPath }
  }
  const namespacePath = item.project?.row.namespaceFullPath
  return { project: item.project, group: undefined, namespacePath }
}

/** The full path, in lower case, of the project of a reference. */
function projectPath(
  { project, namespacePath }: ReferenceContext,
  { path }: ItemReference,
): string | undefined {
  if (path === null) return project?.row.fullPath.toLowerCase()
  if (path.includes('/')) return path.toLowerCase()
  return namespacePath === undefined ? undefined : `${namespacePath}/${path}`.toLowerCase()
}

type ProjectsByPath = ReadonlyMap<string, ProjectSubject>

async function projectsOf(
  app: App,
  caller: Caller,
  context: ReferenceContext,
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
  for (const row of await listMentionedProjects(app.db, { ...viewer, paths })) {
    const facts = projectFacts(row, row, caller.facts)
    if (!decideOnProject('read_project', caller.facts, facts).allowed) continue
    found.set(row.fullPath.toLowerCase(), { row, facts })
  }
  return found
}

function numbers(
  references: readonly ItemReference[],
  kind: ItemReference['kind'],
  parentOf: (reference: ItemReference) => { row: { id: number } } | undefined,
): ItemNumber[] {
  return references
    .filter((reference) => reference.kind === kind)
    .flatMap((reference) => {
      const parent = parentOf(reference)
      return parent === undefined ? [] : [{ scopeId: parent.row.id, iid: reference.id }]
    })
}

/** The rows that the caller may read, as items of their projects. */
function readable<Row extends { projectId: number }>(
  app: App,
  caller: Caller,
  projects: ProjectsByPath,
  rows: readonly Row[],
  toItem: (row: Row, project: ProjectSubject) => WorkItem,
): ReferableItem[] {
  const byId = new Map([...projects.values()].map((project) => [project.row.id, project]))
  return rows.flatMap((row) => {
    const project = byId.get(row.projectId)
    if (project === undefined) return []
    const item = toItem(row, project)
    return mayReadItem(app, item, caller) ? [item] : []
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
  const rows = await listIssuesById(app.db, ids)
  const assigned = Map.groupBy(await listIssueAssignees(app.db, ids), ({ issueId }) => issueId)
  return readable(app, caller, projects, rows, (row, project) => {
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
  const rows = await listMergeRequestsById(app.db, ids)
  const links = await listMergeRequestAssignees(app.db, ids)
  const assigned = Map.groupBy(links, ({ mergeRequestId }) => mergeRequestId)
  return readable(app, caller, projects, rows, (row, project) => {
    const assigneeIds = (assigned.get(row.id) ?? []).map(({ userId }) => userId)
    return { type: 'merge_request', row, project, assigneeIds }
  })
}

/** Snippets are referred to by id; the path of the reference must be that of their project. */
async function readSnippets(
  app: App,
  caller: Caller,
  context: ReferenceContext,
  projects: ProjectsByPath,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  const named = references.filter(({ kind }) => kind === 'snippet')
  if (named.length === 0) return []
  const rows = await listSnippetsById(app.db, [...new Set(named.map(({ id }) => id))])
  return rows.flatMap((row) => {
    const candidates = named
      .filter(({ id }) => id === row.id)
      .map((reference) => projects.get(projectPath(context, reference) ?? ''))
    const project = candidates.find((candidate) => candidate?.row.id === row.projectId)
    if (project === undefined) return []
    const item = { type: 'snippet', row, project } as const
    return mayReadItem(app, item, caller) ? [item] : []
  })
}

async function readEpics(
  app: App,
  caller: Caller,
  { group, namespacePath }: ReferenceContext,
  references: readonly ItemReference[],
): Promise<ReferableItem[]> {
  const named = references.filter(({ kind }) => kind === 'epic')
  const pathOf = ({ path }: ItemReference) => (path ?? namespacePath)?.toLowerCase()
  const own = group?.row.fullPath.toLowerCase()
  const paths = [...new Set(named.flatMap((reference) => pathOf(reference) ?? []))]
  if (paths.length === 0) return []
  const groups = new Map<string, GroupSubject>()
  const others = paths.filter((path) => path !== own)
  if (group !== undefined && own !== undefined) groups.set(own, group)
  if (others.length > 0) await addGroups(app, caller, others, groups)
  const numbered = numbers(named, 'epic', (reference) => groups.get(pathOf(reference) ?? ''))
  const ids = numbered.length === 0 ? [] : await listItemIds(app.db, 'epic', numbered)
  const rows = ids.length === 0 ? [] : await listEpicsById(app.db, ids)
  const byId = new Map([...groups.values()].map((one) => [one.row.id, one]))
  return rows.flatMap((row) => {
    const parent = byId.get(row.groupId)
    return parent === undefined ? [] : [{ type: 'epic', row, group: parent } as const]
  })
}

async function addGroups(
  app: App,
  caller: Caller,
  paths: readonly string[],
  groups: Map<string, GroupSubject>,
): Promise<void> {
  const viewer = { userId: caller.facts.userId ?? 0, today: dayOf(app.now()) }
  for (const { level, ...row } of await listMentionedGroups(app.db, { ...viewer, paths })) {
    const { visibility } = row
    const facts = { visibility, level: level ?? 0, holdsReadableProject: false }
    if (!decideOnGroup('read_epics', caller.facts, facts).allowed) continue
    groups.set(row.fullPath.toLowerCase(), { row, facts })
  }
}
