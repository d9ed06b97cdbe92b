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
import { eventReach } from './event-reach.ts'

/** A project with what happened in it. */
interface Place {
  id: number
  facts: ProjectFacts
  happened: Happened[]
}

/** An event, and who may see it by the policies. */
interface Happened {
  event: NewEvent
  name: string
  isSeenBy: (caller: CallerFacts, project: ProjectFacts) => boolean
}

const today = '2019-06-15'
const page = { page: 1, perPage: 100_000 }

let db: TestDatabase
let author: Row<'users'>
let viewer: Row<'users'>
const places: Place[] = []

beforeAll(async () => {
  db = await openTestDatabase()
  author = await buildUser(db)
  viewer = await buildUser(db)
  const group = await buildNamespace(db, { visibility: 'public' })
  for (const visibility of visibilities) {
    for (const features of featureSets) {
      for (const level of [0, 10, 20, 30]) {
        places.push(await buildPlace(group, { visibility, features, level, archived: false }))
      }
    }
  }
  const events = places.flatMap(({ happened }) => happened.map(({ event }) => event))
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

/** Each feature on its own, and those that hang together in pairs. */
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

async function buildPlace(group: Row<'namespaces'>, facts: ProjectFacts): Promise<Place> {
  const { features } = facts
  const { id } = await buildProject(db, group, {
    visibility: facts.visibility,
    issuesAccessLevel: features.issues,
    repositoryAccessLevel: features.repository,
    mergeRequestsAccessLevel: features.merge_requests,
    snippetsAccessLevel: features.snippets,
  })
  if (facts.level > 0) await buildMember(db, viewer, { kind: 'project', id }, facts.level)
  const happened = [
    ...plainEvents(id),
    ...(await issueEvents(id)),
    ...(await mergeRequestEvents(id)),
    ...(await snippetEvents(id)),
  ]
  return { id, facts, happened }
}

function what(projectId: number, event: Partial<NewEvent>): NewEvent {
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

function plainEvents(id: number): Happened[] {
  const needs =
    (ability: 'read_project' | 'read_code' | 'read_milestones') =>
    (caller: CallerFacts, project: ProjectFacts) =>
      decideOnProject(ability, caller, project).allowed
  const milestone = { action: 'closed', target: { type: 'milestone', id: 5 } } as const
  return [
    { event: what(id, {}), name: 'created', isSeenBy: needs('read_project') },
    { event: what(id, { action: 'joined' }), name: 'joined', isSeenBy: needs('read_project') },
    { event: what(id, { action: 'pushed', push }), name: 'pushed', isSeenBy: needs('read_code') },
    { event: what(id, noteOn('commit', null)), name: 'commit', isSeenBy: needs('read_code') },
    { event: what(id, milestone), name: 'milestone', isSeenBy: needs('read_milestones') },
  ]
}

const dates = { createdAt: someTime, updatedAt: someTime }

async function issueEvents(projectId: number): Promise<Happened[]> {
  const kinds = [
    { name: 'open', confidential: 0, own: false, assigned: false },
    { name: 'confidential', confidential: 1, own: false, assigned: false },
    { name: 'confidential of the viewer', confidential: 1, own: true, assigned: false },
    { name: 'confidential for the viewer', confidential: 1, own: false, assigned: true },
  ] as const
  const all: Happened[] = []
  for (const [index, { name, confidential, own, assigned }] of kinds.entries()) {
    const authorId = own ? viewer.id : author.id
    const texts = { title: name, iid: index + 1, confidential, ...dates }
    const { id } = await insertRow(db, 'issues', { projectId, authorId, ...texts })
    if (assigned) await assign('issue', id)
    const isSeenBy: Happened['isSeenBy'] = (caller, project) => {
      const issue = { authorId, discussionLocked: false, confidential: confidential === 1 }
      const facts = { ...issue, assigned: assigned && caller.userId === viewer.id }
      return decideOnIssue('read_issue', caller, project, facts).allowed
    }
    const target = { type: 'issue', id } as const
    all.push({ event: what(projectId, { target }), name: `issue: ${name}`, isSeenBy })
    all.push({ event: what(projectId, noteOn('issue', id)), name: `note: ${name}`, isSeenBy })
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

async function mergeRequestEvents(projectId: number): Promise<Happened[]> {
  const kinds = [
    { name: 'of somebody', own: false, assigned: false },
    { name: 'of the viewer', own: true, assigned: false },
    { name: 'for the viewer', own: false, assigned: true },
  ]
  const all: Happened[] = []
  for (const [index, { name, own, assigned }] of kinds.entries()) {
    const authorId = own ? viewer.id : author.id
    const branches = { targetBranch: 'main', sourceBranch: 'topic', sourceProjectId: projectId }
    const shas = { headSha: 'a'.repeat(40), startSha: 'b'.repeat(40) }
    const texts = { title: name, iid: index + 1, ...branches, ...shas, ...dates }
    const { id } = await insertRow(db, 'mergeRequests', { projectId, authorId, ...texts })
    if (assigned) await assign('merge_request', id)
    const isSeenBy: Happened['isSeenBy'] = (caller, project) => {
      const facts = {
        authorId,
        discussionLocked: false,
        assigned: assigned && caller.userId === viewer.id,
      }
      return decideOnMergeRequest('read_merge_request', caller, project, facts).allowed
    }
    const target = { type: 'merge_request', id } as const
    const merged = what(projectId, { action: 'merged', target })
    all.push({ event: merged, name: `request: ${name}`, isSeenBy })
    const note = what(projectId, noteOn('merge_request', id))
    all.push({ event: note, name: `note: ${name}`, isSeenBy })
  }
  return all
}

async function snippetEvents(projectId: number): Promise<Happened[]> {
  const kinds: { visibility: Visibility; own: boolean }[] = [
    { visibility: 'private', own: false },
    { visibility: 'internal', own: false },
    { visibility: 'public', own: false },
    { visibility: 'private', own: true },
  ]
  const all: Happened[] = []
  for (const { visibility, own } of kinds) {
    const authorId = own ? viewer.id : author.id
    const texts = { title: 'One', fileName: 'a.txt', content: 'a', ...dates }
    const { id } = await insertRow(db, 'snippets', { projectId, authorId, visibility, ...texts })
    const isSeenBy: Happened['isSeenBy'] = (caller, project) =>
      decideOnSnippet('read_snippet', caller, project, { visibility, authorId }).allowed
    const event = what(projectId, noteOn('snippet', id))
    all.push({ event, name: `snippet: ${visibility}, own ${own}`, isSeenBy })
  }
  return all
}

function callers(): [string, CallerFacts][] {
  const userId = viewer.id
  return [
    ['an insider', { userId, admin: false, external: false }],
    ['an external user', { userId, admin: false, external: true }],
    ['an administrator', { userId, admin: true, external: false }],
    ['nobody', { userId: null, admin: false, external: false }],
  ]
}

/** What the policies say that the caller sees of a project, in the order of the events. */
function expected(caller: CallerFacts, { id, facts, happened }: Place): string[] {
  const project = caller.userId === null ? { ...facts, level: 0 } : facts
  if (!decideOnProject('read_project', caller, project).allowed) return []
  return happened
    .filter(({ isSeenBy }) => isSeenBy(caller, project))
    .map(({ name }) => `${id} ${name}`)
}

/** The events of a list by their names; they come in the order in which they were recorded. */
function namesOf(items: readonly Row<'events'>[], among: readonly Place[], first: number) {
  const names = among.flatMap(({ id, happened }) => happened.map(({ name }) => `${id} ${name}`))
  return items.map(({ id }) => names[id - first])
}

describe('events', () => {
  it('are seen on the list of a user by whom the policies let read what they are about', async () => {
    for (const [who, caller] of callers()) {
      const whose = { authorId: author.id, caller, today }
      const { items, total } = await listEventsOfAuthor(db, whose, { sort: 'asc' }, page)
      const wanted = places.flatMap((place) => expected(caller, place))
      expect(namesOf(items, places, 1), who).toEqual(wanted)
      expect(total, who).toBe(wanted.length)
    }
  }, 60_000)

  it('are seen on the list of a project by the same', async () => {
    let first = 1
    for (const place of places) {
      for (const [who, caller] of callers()) {
        const project = caller.userId === null ? { ...place.facts, level: 0 } : place.facts
        if (!decideOnProject('read_events', caller, project).allowed) continue
        const userId = caller.userId ?? 0
        const whose = { projectId: place.id, userId, reach: eventReach(caller, project) }
        const { items, total } = await listEventsOfProject(db, whose, { sort: 'asc' }, page)
        const wanted = expected(caller, place)
        expect(namesOf(items, [place], first), who).toEqual(wanted)
        expect(total, who).toBe(wanted.length)
      }
      first += place.happened.length
    }
  }, 60_000)
})
