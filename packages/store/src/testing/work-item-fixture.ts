import type { CallerFacts, FilterValue } from '@stithy/core'
import type {
  WorkItemFilter,
  WorkItemListScope,
  WorkItemRequest,
} from '../planning/items/lists/work-item-filter.ts'
import type { Database } from '../platform/queries/queries.ts'
import type { Row } from '../platform/schema/schema.ts'
import { buildMember, buildNamespace, buildProject, buildUser, someTime } from './factories.ts'
import {
  putIssue,
  putLabel,
  putMergeRequest,
  putMilestone,
  type WorkItemModel,
} from './work-items.ts'

export let users: Row<'users'>[]
export let projects: Row<'projects'>[]
export let issues: WorkItemModel[]
export let requests: WorkItemModel[]
export let group: Row<'namespaces'>

const titles = ['bug', 'Feature', 'None of it', 'rare']
const milestones = ['v1', 'v2']
/** Labels and milestones: for each title one of the group, and one of each project. */
let labels: { id: number; title: string; projectId: number | null }[]
let goals: { id: number; title: string; projectId: number | null }[]

export function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('an empty list')
  return item
}

/** Inserts issues and merge requests with everything that lists filter by. */
export async function writeWorkItems(db: Database): Promise<void> {
  labels = []
  goals = []
  users = [await buildUser(db), await buildUser(db), await buildUser(db)]
  group = await buildNamespace(db, { visibility: 'public' })
  const inner = await buildNamespace(db, { visibility: 'public' }, group)
  projects = [
    await buildProject(db, group, { visibility: 'public' }),
    await buildProject(db, inner, { visibility: 'public' }),
    await buildProject(db, inner, { visibility: 'public', archived: 1 }),
  ]
  await buildMember(db, at(users, 0), { kind: 'group', id: group.id }, 20)
  await buildMember(db, at(users, 1), { kind: 'project', id: at(projects, 0).id }, 10)
  for (const project of [undefined, ...projects]) {
    const owner = {
      projectId: project?.id ?? null,
      groupId: project === undefined ? group.id : null,
    }
    for (const title of titles) {
      const label = { id: labels.length + 1, title, ...owner }
      labels.push(label)
      await putLabel(db, label)
    }
    for (const title of milestones) {
      const goal = { id: goals.length + 1, title, ...owner }
      goals.push(goal)
      await putMilestone(db, goal)
    }
  }
  issues = Array.from({ length: 90 }, (_, index) => modelOf(index + 1))
  for (const issue of issues) await putIssue(db, issue)
  requests = []
  for (const issue of issues.slice(0, 40)) {
    requests.push({ ...issue, id: await putMergeRequest(db, issue) })
  }
}

/**
 * A work item whose properties repeat with different periods, so that every combination of two
 * occurs.
 */
export function modelOf(id: number): WorkItemModel {
  const project = at(projects, id % 3)
  const own = <T extends { projectId: number | null; title: string }>(from: T[], title: string) =>
    from.filter((one) => one.title === title && [null, project.id].includes(one.projectId))
  const labelled = id % 4 === 0 ? [] : own(labels, at(titles, id % 5 === 0 ? 3 : id % 3))
  const goal = id % 7 < 3 ? undefined : at(own(goals, at(milestones, id % 2)), id)
  return {
    id,
    iid: Math.ceil(id / 3),
    projectId: project.id,
    authorId: at(users, id % 5).id,
    title: id % 6 === 0 ? `Crash ÄRGER ${id}` : `Wish 100% ${id}`,
    description:
      id % 8 === 0 ? null : `Some ${id % 3 === 0 ? 'PAGE of ärger' : 'words_and "quotes"'}`,
    state: id % 3 === 1 ? 'closed' : 'opened',
    confidential: id % 11 === 0,
    weight: id % 5 < 3 ? null : id % 4,
    milestoneId: goal?.id ?? null,
    labelIds: labelled.slice(0, 1 + (id % 2)).map((label) => label.id),
    assigneeIds: users.filter((_, index) => (id >> index) % 2 === 1).map((user) => user.id),
    awards: id % 9 === 0 ? [{ userId: at(users, 0).id, name: id % 2 ? 'tada' : 'thumbsup' }] : [],
    // Some have the same timestamp.
    createdAt: someTime + Math.floor(id / 4) * 1000,
    updatedAt: someTime + 100_000 - Math.floor(id / 3) * 1000,
    request: {
      wip: id % 7 === 0,
      sourceProjectId: at(projects, id % 4 === 0 ? id + 1 : id).id,
      // Of the open ones at most one has the same branches.
      sourceBranch: id % 3 === 1 ? `topic-${id % 4}` : `topic-${id}`,
      targetBranch: id % 5 === 0 ? 'stable' : 'main',
    },
  }
}

export function callerOf(index: number | null, admin = false): CallerFacts {
  return { userId: index === null ? null : at(users, index).id, admin, external: false }
}

const levels: Record<number, (project: number) => number> = {
  0: () => 20,
  1: (project) => (project === 0 ? 10 : 0),
  2: () => 0,
}

function isVisible(issue: WorkItemModel, caller: CallerFacts): boolean {
  if (!issue.confidential || caller.admin) return true
  const { userId } = caller
  if (userId === null) return false
  if (issue.authorId === userId || issue.assigneeIds.includes(userId)) return true
  const index = users.findIndex((user) => user.id === userId)
  const project = projects.findIndex((one) => one.id === issue.projectId)
  return (levels[index]?.(project) ?? 0) >= 20
}

function matches<T>(
  filter: FilterValue<T> | undefined,
  has: boolean,
  is: (value: T) => boolean,
): boolean {
  if (filter === undefined) return true
  if (typeof filter === 'string') return (filter === 'any') === has
  return is(filter.is)
}

/** The documented filters, on plain data. */
function passes(item: WorkItemModel, filter: WorkItemFilter, userId: number | null): boolean {
  const named = (name: string) =>
    users.find((user) => user.usernameLower === name.toLowerCase())?.id
  const labelTitles = labels
    .filter(({ id }) => item.labelIds.includes(id))
    .map(({ title }) => title)
  const goal = goals.find(({ id }) => id === item.milestoneId)?.title
  const given = item.awards.filter((award) => award.userId === userId)
  const fields = filter.searchIn ?? ['title', 'description']
  const texts = fields.map((field) => (item[field] ?? '').toLowerCase())
  const words = [...(filter.search ?? '').matchAll(/"([^"]+)"|[^\s"]+/g)].map((m) => m[1] ?? m[0])
  const within = (value: number, from?: number, until?: number) =>
    (from === undefined || value >= from) && (until === undefined || value <= until)
  return [
    filter.state === undefined || item.state === filter.state,
    matches(filter.labels, labelTitles.length > 0, (all) =>
      all.every((title) => labelTitles.includes(title)),
    ),
    matches(filter.milestone, goal !== undefined, (title) => title === goal),
    filter.createdById === undefined || item.authorId === filter.createdById,
    filter.authorId === undefined || item.authorId === filter.authorId,
    filter.authorUsername === undefined || item.authorId === named(filter.authorUsername),
    filter.assignedToId === undefined || item.assigneeIds.includes(filter.assignedToId),
    matches(filter.assigneeId, item.assigneeIds.length > 0, (id) => item.assigneeIds.includes(id)),
    (filter.assigneeUsernames ?? []).every((name) => item.assigneeIds.includes(named(name) ?? 0)),
    matches(filter.reaction, given.length > 0, (name) =>
      given.some((award) => award.name === name),
    ),
    matches(filter.weight, item.weight !== null, (weight) => item.weight === weight),
    filter.iids === undefined || filter.iids.length === 0 || filter.iids.includes(item.iid),
    words.every((word) => texts.some((text) => text.includes(word.toLowerCase()))),
    within(item.createdAt, filter.createdFrom, filter.createdUntil),
    within(item.updatedAt, filter.updatedFrom, filter.updatedUntil),
    filter.confidential === undefined || item.confidential === filter.confidential,
    passesRequest(item, filter),
  ].every(Boolean)
}

function passesRequest({ request }: WorkItemModel, filter: WorkItemFilter): boolean {
  const names = ['wip', 'sourceProjectId', 'sourceBranch', 'targetBranch'] as const
  return names.every((name) => filter[name] === undefined || request?.[name] === filter[name])
}

function isIn(item: WorkItemModel, scope: WorkItemListScope): boolean {
  if (scope.kind === 'project') return item.projectId === scope.projectId
  const project = projects.find(({ id }) => id === item.projectId)
  return scope.archived || project?.archived === 0
}

export function expected(
  items: readonly WorkItemModel[],
  request: WorkItemRequest,
  all = false,
): number[] {
  const { scope, filter, caller, orderBy, sort } = request
  const column = orderBy === 'created_at' ? 'createdAt' : 'updatedAt'
  return items
    .filter((item) => isIn(item, scope) && (all || isVisible(item, caller)))
    .filter((item) => passes(item, filter, caller.userId))
    .toSorted((a, b) => (sort === 'asc' ? 1 : -1) * (a[column] - b[column]) || b.id - a.id)
    .map((item) => item.id)
}

export function scopes(): WorkItemListScope[] {
  const { id: projectId, namespaceId } = at(projects, 0)
  const one = { kind: 'project', projectId, namespaceId } as const
  return [
    { ...one, includesHidden: true },
    { ...one, includesHidden: false },
    { kind: 'group', groupId: group.id, archived: false },
    { kind: 'group', groupId: group.id, archived: true },
    { kind: 'anywhere', archived: false },
    { kind: 'anywhere', archived: true },
  ]
}

/** Filters that only merge requests have. */
export function requestFilters(): [string, WorkItemFilter][] {
  const { id: sourceProjectId } = at(projects, 1)
  return [
    ['work in progress', { wip: true }],
    ['not work in progress', { wip: false }],
    ['a source project', { sourceProjectId }],
    ['an unknown source project', { sourceProjectId: 0 }],
    ['a source branch', { sourceBranch: 'topic-2' }],
    ['a source branch in another case', { sourceBranch: 'TOPIC-2' }],
    ['a source branch and its project', { sourceBranch: 'topic-2', sourceProjectId }],
    ['a target branch', { targetBranch: 'stable' }],
    ['a branch of most', { targetBranch: 'main' }],
    ['both branches', { sourceBranch: 'topic-0', targetBranch: 'stable' }],
    ['a target branch and a label', { targetBranch: 'main', labels: { is: ['bug'] } }],
    ['work in progress without a milestone', { wip: true, milestone: 'none' }],
    ['no label and a source project', { labels: 'none', sourceProjectId }],
    ['a branch and presence', { targetBranch: 'main', assigneeId: 'any', labels: 'any' }],
    ['a target branch and a state', { targetBranch: 'main', state: 'opened' }],
    ['an author and a branch', { authorId: at(users, 1).id, targetBranch: 'stable' }],
  ]
}

/** Filters of issues, of which merge requests have all but two. */
export function filters(): [string, WorkItemFilter][] {
  const [first, second] = [at(users, 0), at(users, 1)]
  const day = someTime + 10_000
  return [
    ['nothing', {}],
    ['state', { state: 'opened' }],
    ['a label', { labels: { is: ['bug'] } }],
    ['two labels', { labels: { is: ['bug', 'rare'] } }],
    ['an unknown label', { labels: { is: ['unknown'] } }],
    ['a label in another case', { labels: { is: ['BUG'] } }],
    ['no label', { labels: 'none' }],
    ['any label', { labels: 'any' }],
    ['a milestone', { milestone: { is: 'v1' } }],
    ['an unknown milestone', { milestone: { is: 'v9' } }],
    ['no milestone', { milestone: 'none' }],
    ['any milestone', { milestone: 'any' }],
    ['what the caller created', { createdById: first.id }],
    ['an author', { authorId: second.id }],
    ['an author by name', { authorUsername: second.username.toUpperCase() }],
    ['an unknown author', { authorUsername: 'nobody' }],
    ['creator and author', { createdById: first.id, authorId: second.id }],
    ['what is assigned to the caller', { assignedToId: first.id }],
    ['an assignee', { assigneeId: { is: second.id } }],
    ['an assignee by name', { assigneeUsernames: [second.username] }],
    ['two assignees', { assigneeUsernames: [second.username, first.username] }],
    ['an unknown assignee', { assigneeUsernames: ['nobody'] }],
    ['no assignee', { assigneeId: 'none' }],
    ['any assignee', { assigneeId: 'any' }],
    ['a reaction', { reaction: { is: 'tada' } }],
    ['no reaction', { reaction: 'none' }],
    ['any reaction', { reaction: 'any' }],
    ['a weight', { weight: { is: 3 } }],
    ['weight 0', { weight: { is: 0 } }],
    ['no weight', { weight: 'none' }],
    ['any weight', { weight: 'any' }],
    ['numbers', { iids: [3, 5, 5, 400] }],
    ['no numbers', { iids: [] }],
    ['a word', { search: 'crash' }],
    ['words of both fields', { search: 'CRASH pAgE' }],
    ['a part of a word', { search: 'ras' }],
    ['a word with another alphabet', { search: 'Ärger' }],
    ['two letters', { search: 'of' }],
    ['two letters of another alphabet', { search: 'ÄR' }],
    ['one letter and a word', { search: '% wish' }],
    ['signs that mean something', { search: '100% words_and' }],
    ['a quoted phrase', { search: '"some page"' }],
    ['an open quote', { search: '"some' }],
    ['a word that is nowhere', { search: 'nowhere' }],
    ['spaces', { search: '   ' }],
    ['the title', { search: 'ärger', searchIn: ['title'] }],
    ['the description', { search: 'ärger', searchIn: ['description'] }],
    ['created from', { createdFrom: day }],
    ['created until', { createdUntil: day }],
    ['created between', { createdFrom: day, createdUntil: day }],
    ['updated from', { updatedFrom: day + 70_000 }],
    ['updated until', { updatedUntil: day + 70_000 }],
    ['confidential', { confidential: true }],
    ['not confidential', { confidential: false }],
    ['marks of all kinds', { labels: 'any', assigneeId: 'any', milestone: 'none', weight: 'none' }],
    ['a weight and no label', { weight: { is: 3 }, labels: 'none' }],
    ['a label and a state', { labels: { is: ['bug'] }, state: 'closed' }],
    ['a search and an author', { search: 'wish', authorId: first.id }],
    [
      'a label, a milestone, dates',
      { labels: { is: ['bug'] }, milestone: { is: 'v2' }, createdFrom: day, updatedUntil: day * 2 },
    ],
  ]
}
