import {
  AccessLevel,
  type CallerFacts,
  decideOnProject,
  featureLevels,
  type ProjectFacts,
  visibilities,
} from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Build, Queries } from '../queries.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildUser,
  explainQuery,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../testing/index.ts'
import { type EventFilter, listEventsOfAuthor, listEventsOfProject } from './event-list.ts'
import { recordEvents, removeOldEvents } from './event-store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const today = '2019-06-15'
const page = { page: 1, perPage: 500 }
const newest: EventFilter = { sort: 'desc' }

const push = {
  commit_count: 1,
  action: 'pushed',
  ref_type: 'branch',
  commit_from: 'a'.repeat(40),
  commit_to: 'b'.repeat(40),
  ref: 'main',
  commit_title: 'One',
} as const

const comment = {
  action: 'commented' as const,
  target: { type: 'note' as const, id: 1 },
  createdAt: someTime,
}

describe('listEventsOfAuthor', () => {
  it('shows what the policy lets each caller read, for every project and level', async () => {
    const author = await buildUser(db)
    const viewer = await buildUser(db)
    const group = await buildNamespace(db, { visibility: 'public' })
    const projects: { id: number; facts: ProjectFacts }[] = []
    for (const visibility of visibilities) {
      for (const repository of featureLevels) {
        for (const level of [0, AccessLevel.guest, AccessLevel.reporter, AccessLevel.developer]) {
          const changes = { visibility, repositoryAccessLevel: repository }
          const { id } = await buildProject(db, group, changes)
          if (level > 0) await buildMember(db, viewer, { kind: 'project', id }, level)
          const features = { ...allFeatures, repository }
          projects.push({ id, facts: { visibility, archived: false, level, features } })
        }
      }
    }
    const authorId = author.id
    const events = projects.flatMap(({ id: projectId }) => [
      { projectId, authorId, action: 'created' as const, createdAt: someTime },
      { projectId, authorId, action: 'pushed' as const, push, createdAt: someTime },
      { projectId, authorId, ...comment, noteable: { type: 'commit' as const, id: null } },
      { projectId, authorId, ...comment, noteable: { type: 'issue' as const, id: 7 } },
    ])
    await db.transaction((tx) => recordEvents(tx, events))
    for (const caller of callersOf(viewer.id)) {
      const { items, total } = await listEventsOfAuthor(
        db,
        { authorId, caller, today },
        { sort: 'asc' },
        page,
      )
      const seen = items.map((row) => `${row.projectId} ${row.noteableType ?? row.action}`)
      expect(seen).toEqual(projects.flatMap(({ id, facts }) => expected(caller, id, facts)))
      expect(total).toBe(seen.length)
    }
  })

  it('shows what lies outside projects to its author and administrators alone', async () => {
    const [author, other] = [await buildUser(db), await buildUser(db)]
    const event = { projectId: null, authorId: author.id, action: 'joined' } as const
    await db.transaction((tx) => recordEvents(tx, [{ ...event, createdAt: someTime }]))
    const count = async (caller: CallerFacts) => {
      const whose = { authorId: author.id, caller, today }
      return (await listEventsOfAuthor(db, whose, newest, page)).total
    }
    expect(await count({ userId: author.id, admin: false, external: false })).toBe(1)
    expect(await count({ userId: other.id, admin: true, external: false })).toBe(1)
    expect(await count({ userId: other.id, admin: false, external: false })).toBe(0)
  })
})

const allFeatures = {
  issues: 'enabled',
  repository: 'enabled',
  merge_requests: 'enabled',
  builds: 'enabled',
  wiki: 'enabled',
  snippets: 'enabled',
} as const

function callersOf(userId: number): CallerFacts[] {
  return [
    { userId, admin: false, external: false },
    { userId, admin: false, external: true },
    { userId, admin: true, external: false },
    { userId: null, admin: false, external: false },
  ]
}

function expected(caller: CallerFacts, id: number, project: ProjectFacts): string[] {
  const facts = caller.userId === null ? { ...project, level: 0 } : project
  if (!decideOnProject('read_project', caller, facts).allowed) return []
  const withCode = decideOnProject('read_code', caller, facts).allowed
  const code = withCode ? [`${id} pushed`, `${id} commit`] : []
  return [`${id} created`, ...code, `${id} issue`]
}

describe('listEventsOfProject', () => {
  it('leaves out what is about code for those who may not read it', async () => {
    const { id: authorId } = await buildUser(db)
    const { id: projectId } = await buildProject(db, await buildNamespace(db))
    const whose = { projectId, authorId, createdAt: someTime }
    const events = [
      { ...whose, action: 'joined' as const },
      { ...whose, action: 'pushed' as const, push },
      { ...whose, ...comment, noteable: { type: 'commit' as const, id: null } },
      { ...whose, ...comment, noteable: { type: 'issue' as const, id: 7 } },
    ]
    await db.transaction((tx) => recordEvents(tx, events))
    const seen = async (withCode: boolean) => {
      const filter: EventFilter = { sort: 'asc' }
      const { items } = await listEventsOfProject(
        db,
        { projectId, withCode, withMergeRequests: withCode },
        filter,
        page,
      )
      return items.map((row) => row.noteableType ?? row.action)
    }
    expect(await seen(true)).toEqual(['joined', 'pushed', 'commit', 'issue'])
    expect(await seen(false)).toEqual(['joined', 'issue'])
  })
})

describe('the order of a list of events', () => {
  const filters: EventFilter[] = [
    newest,
    { sort: 'asc' },
    { sort: 'desc', action: 'pushed' },
    { sort: 'asc', targetType: 'issue' },
    { sort: 'desc', from: 1, until: 2 },
    { sort: 'desc', action: 'closed', targetType: 'issue', from: 1 },
  ]

  it.each(filters)('comes from an index: %j', async (filter) => {
    const caller = { userId: 1, admin: false, external: false }
    const plans = await plansOf(async (q) => {
      await listEventsOfAuthor(q, { authorId: 1, caller, today }, filter, page)
      await listEventsOfProject(
        q,
        { projectId: 1, withCode: false, withMergeRequests: false },
        filter,
        page,
      )
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      const steps = plan.filter((step) => /events|ORDER BY/.test(step))
      expect(steps).toEqual([expect.stringMatching(/^SEARCH events USING INDEX events_/)])
    }
  })
})

/** How SQLite would run the lists that `work` asks for. */
async function plansOf(work: (q: Queries) => Promise<unknown>): Promise<string[][]> {
  const plans: string[][] = []
  const recorder: Queries = {
    dialect: 'sqlite',
    async all<A extends object, R>(_shape: string, _args: A, build: Build<A, R>) {
      plans.push(await explainQuery(build))
      return []
    },
    first: async () => undefined,
    run: async () => ({ changes: 0 }),
  }
  await work(recorder)
  return plans
}

describe('removeOldEvents', () => {
  it('goes through all that are old, a piece at a time', async () => {
    await using own = await openTestDatabase()
    const { id } = await buildUser(own)
    const event = { projectId: null, authorId: id, action: 'created' } as const
    const events = [10, 20, 30, 40, 50, 1000].map((createdAt) => ({ ...event, createdAt }))
    await own.transaction((tx) => recordEvents(tx, events))
    const remove = () => own.transaction((tx) => removeOldEvents(tx, { horizon: 100, limit: 3 }))
    expect([await remove(), await remove(), await remove()]).toEqual([3, 2, 0])
    const whose = { authorId: id, caller: { userId: id, admin: false, external: false }, today }
    expect((await listEventsOfAuthor(own, whose, newest, page)).total).toBe(1)
  })
})
