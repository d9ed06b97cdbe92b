import {
  type CallerFacts,
  decideOnIssue,
  decideOnMergeRequest,
  decideOnProject,
  decideOnSnippet,
  type FeatureLevel,
  type ProjectFacts,
  type Visibility,
  visibilities,
} from '@stithy/core'
import {
  listEventsOfAuthor,
  listEventsOfGroup,
  listEventsOfProject,
  type NewEvent,
  type Row,
  recordEvents,
} from '@stithy/store'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildUser,
  insertRow,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '@stithy/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventAccess } from './event-access.ts'

/** A project in which one event of each kind was recorded. */
interface ProjectFixture {
  id: number
  facts: ProjectFacts
  recorded: RecordedEvent[]
}

/** An event, and label may see it according to the policies. */
interface RecordedEvent {
  event: NewEvent
  name: string
  isVisibleTo: (caller: CallerFacts, project: ProjectFacts) => boolean
}

const today = '2019-06-15'
const page = { page: 1, perPage: 100_000 }

let db: TestDatabase
let group: Row<'namespaces'>
let author: Row<'users'>
let viewer: Row<'users'>
const fixtures: ProjectFixture[] = []

beforeAll(async () => {
  db = await openTestDatabase()
  author = await buildUser(db)
  viewer = await buildUser(db)
  group = await buildNamespace(db, { visibility: 'public' })
  for (const visibility of visibilities) {
    for (const features of featureSets) {
      for (const level of [0, 10, 20, 30]) {
        fixtures.push(await buildFixture(group, { visibility, features, level, archived: false }))
      }
    }
  }
  const events = fixtures.flatMap(({ recorded }) => recorded.map(({ event }) => event))
  await db.transaction((tx) => recordEvents(tx, events))
}, 120_000)
afterAll(() => db.close())

type Features = ProjectFacts['features']

const enabled: Features = {
  issues: 'enabled',
  repository: 'enabled',
  merge_requests: 'enabled',
  builds: 'enabled',
  wiki: 'enabled',
  snippets: 'enabled',
}

/** Each feature on its own, and the pairs of features that depend on each other. */
const featureSets: Features[] = [
  enabled,
  ...(['disabled', 'private'] as const).flatMap((one: FeatureLevel) => [
    { ...enabled, issues: one },
    { ...enabled, repository: one },
    { ...enabled, merge_requests: one },
    { ...enabled, snippets: one },
    ...(['disabled', 'private'] as const).flatMap((other: FeatureLevel) => [
      { ...enabled, issues: one, merge_requests: other },
      { ...enabled, issues: one, repository: other },
      { ...enabled, repository: one, merge_requests: other },
    ]),
  ]),
]

async function buildFixture(
  group: Row<'namespaces'>,
  facts: ProjectFacts,
): Promise<ProjectFixture> {
  const { features } = facts
  const { id } = await buildProject(db, group, {
    visibility: facts.visibility,
    issuesAccessLevel: features.issues,
    repositoryAccessLevel: features.repository,
    mergeRequestsAccessLevel: features.merge_requests,
    snippetsAccessLevel: features.snippets,
  })
  if (facts.level > 0) await buildMember(db, viewer, { kind: 'project', id }, facts.level)
  const recorded = [
    ...plainEvents(id),
    ...(await issueEvents(id)),
    ...(await mergeRequestEvents(id)),
    ...(await snippetEvents(id)),
  ]
  return { id, facts, recorded }
}

function eventIn(projectId: number, event: Partial<NewEvent>): NewEvent {
  return { projectId, authorId: author.id, action: 'created', createdAt: someTime, ...event }
}

const push = {
  commit_count: 1,
  action: 'pushed',
  ref_type: 'branch',
  commit_from: null,
  commit_to: 'b'.repeat(40),
  ref: 'main',
  commit_title: 'One',
} as const

function noteOn(type: 'commit' | 'issue' | 'merge_request' | 'snippet', id: number | null) {
  const target = { type: 'note', id: 1 } as const
  return { action: 'commented', target, noteable: { type, id } } as const
}

function plainEvents(id: number): RecordedEvent[] {
  const needs =
    (ability: 'read_project' | 'read_code' | 'read_milestones') =>
    (caller: CallerFacts, project: ProjectFacts) =>
      decideOnProject(ability, caller, project).allowed
  const milestone = { action: 'closed', target: { type: 'milestone', id: 5 } } as const
  return [
    { event: eventIn(id, {}), name: 'created', isVisibleTo: needs('read_project') },
    {
      event: eventIn(id, { action: 'joined' }),
      name: 'joined',
      isVisibleTo: needs('read_project'),
    },
    {
      event: eventIn(id, { action: 'pushed', push }),
      name: 'pushed',
      isVisibleTo: needs('read_code'),
    },
    { event: eventIn(id, noteOn('commit', null)), name: 'commit', isVisibleTo: needs('read_code') },
    { event: eventIn(id, milestone), name: 'milestone', isVisibleTo: needs('read_milestones') },
  ]
}

const dates = { createdAt: someTime, updatedAt: someTime }

async function issueEvents(projectId: number): Promise<RecordedEvent[]> {
  const kinds = [
    { name: 'open', confidential: 0, own: false, assigned: false },
    { name: 'confidential', confidential: 1, own: false, assigned: false },
    { name: 'confidential of the viewer', confidential: 1, own: true, assigned: false },
    { name: 'confidential for the viewer', confidential: 1, own: false, assigned: true },
  ] as const
  const all: RecordedEvent[] = []
  for (const [index, { name, confidential, own, assigned }] of kinds.entries()) {
    const authorId = own ? viewer.id : author.id
    const texts = { title: name, iid: index + 1, confidential, ...dates }
    const { id } = await insertRow(db, 'issues', { projectId, authorId, ...texts })
    if (assigned) await assign('issue', id)
    const isVisibleTo: RecordedEvent['isVisibleTo'] = (caller, project) => {
      const issue = { authorId, discussionLocked: false, confidential: confidential === 1 }
      const facts = { ...issue, assigned: assigned && caller.userId === viewer.id }
      return decideOnIssue('read_issue', caller, project, facts).allowed
    }
    const target = { type: 'issue', id } as const
    all.push({ event: eventIn(projectId, { target }), name: `issue: ${name}`, isVisibleTo })
    all.push({ event: eventIn(projectId, noteOn('issue', id)), name: `note: ${name}`, isVisibleTo })
  }
  return all
}

async function assign(type: 'issue' | 'merge_request', id: number): Promise<void> {
  const args = { id, userId: viewer.id, position: 0, createdAt: someTime }
  await db.run(`test.assign|${type}`, args, (kysely, $) => {
    const rest = { userId: $('userId'), position: $('position'), createdAt: $('createdAt') }
    return type === 'issue'
      ? kysely.insertInto('issueAssignees').values({ issueId: $('id'), ...rest })
      : kysely.insertInto('mergeRequestAssignees').values({ mergeRequestId: $('id'), ...rest })
  })
}

async function mergeRequestEvents(projectId: number): Promise<RecordedEvent[]> {
  const kinds = [
    { name: 'of someone', own: false, assigned: false },
    { name: 'of the viewer', own: true, assigned: false },
    { name: 'for the viewer', own: false, assigned: true },
  ]
  const all: RecordedEvent[] = []
  for (const [index, { name, own, assigned }] of kinds.entries()) {
    const authorId = own ? viewer.id : author.id
    const branches = {
      targetBranch: 'main',
      sourceBranch: `topic-${index}`,
      sourceProjectId: projectId,
    }
    const shas = { headSha: 'a'.repeat(40), startSha: 'b'.repeat(40) }
    const texts = { title: name, iid: index + 1, ...branches, ...shas, ...dates }
    const { id } = await insertRow(db, 'mergeRequests', { projectId, authorId, ...texts })
    if (assigned) await assign('merge_request', id)
    const isVisibleTo: RecordedEvent['isVisibleTo'] = (caller, project) => {
      const facts = {
        authorId,
        discussionLocked: false,
        assigned: assigned && caller.userId === viewer.id,
      }
      return decideOnMergeRequest('read_merge_request', caller, project, facts).allowed
    }
    const target = { type: 'merge_request', id } as const
    const merged = eventIn(projectId, { action: 'merged', target })
    all.push({ event: merged, name: `request: ${name}`, isVisibleTo })
    const note = eventIn(projectId, noteOn('merge_request', id))
    all.push({ event: note, name: `note: ${name}`, isVisibleTo })
  }
  return all
}

async function snippetEvents(projectId: number): Promise<RecordedEvent[]> {
  const kinds: { visibility: Visibility; own: boolean }[] = [
    { visibility: 'private', own: false },
    { visibility: 'internal', own: false },
    { visibility: 'public', own: false },
    { visibility: 'private', own: true },
  ]
  const all: RecordedEvent[] = []
  for (const { visibility, own } of kinds) {
    const authorId = own ? viewer.id : author.id
    const texts = { title: 'One', fileName: 'a.txt', content: 'a', ...dates }
    const { id } = await insertRow(db, 'snippets', { projectId, authorId, visibility, ...texts })
    const isVisibleTo: RecordedEvent['isVisibleTo'] = (caller, project) =>
      decideOnSnippet('read_snippet', caller, project, { visibility, authorId }).allowed
    const event = eventIn(projectId, noteOn('snippet', id))
    all.push({ event, name: `snippet: ${visibility}, own ${own}`, isVisibleTo })
  }
  return all
}

function callers(): [string, CallerFacts][] {
  const userId = viewer.id
  return [
    ['an internal', { userId, admin: false, external: false }],
    ['an external user', { userId, admin: false, external: true }],
    ['an administrator', { userId, admin: true, external: false }],
    ['nobody', { userId: null, admin: false, external: false }],
  ]
}

/** The events of a project that the policies let the caller see, in their order. */
function expected(caller: CallerFacts, { id, facts, recorded }: ProjectFixture): string[] {
  const project = caller.userId === null ? { ...facts, level: 0 } : facts
  if (!decideOnProject('read_project', caller, project).allowed) return []
  return recorded
    .filter(({ isVisibleTo }) => isVisibleTo(caller, project))
    .map(({ name }) => `${id} ${name}`)
}

/** The events of a list by name, in the order in which they were recorded. */
function namesOf(items: readonly Row<'events'>[], among: readonly ProjectFixture[], first: number) {
  const names = among.flatMap(({ id, recorded }) => recorded.map(({ name }) => `${id} ${name}`))
  return items.map(({ id }) => names[id - first])
}

describe('event visibility', () => {
  it('lists only events of a user whose targets the caller may read', async () => {
    for (const [label, caller] of callers()) {
      const filter = { authorId: author.id, caller, today }
      const { items, total } = await listEventsOfAuthor(db, filter, { sort: 'asc' }, page)
      const expectedNames = fixtures.flatMap((fixture) => expected(caller, fixture))
      expect(namesOf(items, fixtures, 1), label).toEqual(expectedNames)
      expect(total, label).toBe(expectedNames.length)
    }
  })

  it('lists only events of a group whose targets the caller may read', async () => {
    for (const [label, caller] of callers()) {
      const scope = { groupId: group.id, caller, today }
      const { items, hasMore } = await listEventsOfGroup(db, scope, { sort: 'asc' }, page)
      const expectedNames = fixtures.flatMap((fixture) => expected(caller, fixture))
      expect(namesOf(items, fixtures, 1), label).toEqual(expectedNames)
      expect(hasMore, label).toBe(false)
    }
  })

  it('lists only events of a project whose targets the caller may read', async () => {
    let first = 1
    for (const fixture of fixtures) {
      for (const [label, caller] of callers()) {
        const project = caller.userId === null ? { ...fixture.facts, level: 0 } : fixture.facts
        if (!decideOnProject('read_events', caller, project).allowed) continue
        const userId = caller.userId ?? 0
        const filter = { projectId: fixture.id, userId, access: eventAccess(caller, project) }
        const { items, total } = await listEventsOfProject(db, filter, { sort: 'asc' }, page)
        const expectedNames = expected(caller, fixture)
        expect(namesOf(items, [fixture], first), label).toEqual(expectedNames)
        expect(total, label).toBe(expectedNames.length)
      }
      first += fixture.recorded.length
    }
  })
})
