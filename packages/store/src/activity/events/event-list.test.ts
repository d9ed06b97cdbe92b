import type { CallerFacts } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import type { EventFilter } from './event-filter.ts'
import { listEventsOfAuthor, listEventsOfProject } from './event-list.ts'
import { listBranchMoves, recordEvents, removeOldEvents } from './event-store.ts'
import { listEventsOfGroup } from './group-event-list.ts'
import type { EventAccess } from './project-event-access.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const today = '2019-06-15'
const page = { page: 1, perPage: 500 }
const newest: EventFilter = { sort: 'desc' }
const filters: EventFilter[] = [
  newest,
  { sort: 'asc' },
  { sort: 'desc', action: 'pushed' },
  { sort: 'asc', targetType: 'issue' },
  { sort: 'desc', from: 1, until: 2 },
  { sort: 'desc', action: 'closed', targetType: 'issue', from: 1 },
]

describe('listEventsOfAuthor', () => {
  it('shows events outside projects only to their author and to administrators', async () => {
    const [author, other] = [await buildUser(db), await buildUser(db)]
    const event = { projectId: null, authorId: author.id, action: 'joined' } as const
    await db.transaction((tx) => recordEvents(tx, [{ ...event, createdAt: someTime }]))
    const count = async (caller: CallerFacts) => {
      const scope = { authorId: author.id, caller, today }
      return (await listEventsOfAuthor(db, scope, newest, page)).total
    }
    expect(await count({ userId: author.id, admin: false, external: false })).toBe(1)
    expect(await count({ userId: other.id, admin: true, external: false })).toBe(1)
    expect(await count({ userId: other.id, admin: false, external: false })).toBe(0)
  })
})

describe('the order of a list of events', () => {
  const accesses: EventAccess[] = [
    { code: true, milestones: true, issues: 'all', mergeRequests: 'all', snippets: 'all' },
    { code: true, milestones: true, issues: 'open', mergeRequests: 'all', snippets: 'public' },
    { code: false, milestones: true, issues: 'open', mergeRequests: 'own', snippets: 'all' },
    { code: false, milestones: false, issues: 'none', mergeRequests: 'none', snippets: 'none' },
  ]
  const lists: [string, (q: Queries, filter: EventFilter) => Promise<unknown>][] = [
    ...(['admin', 'internal', 'external'] as const).map((kind): (typeof lists)[number] => {
      const caller = { userId: 1, admin: kind === 'admin', external: kind === 'external' }
      const scope = { authorId: 1, caller, today }
      return [
        `a user, viewed by ${kind}`,
        (q, filter) => listEventsOfAuthor(q, scope, filter, page),
      ]
    }),
    ...accesses.map((access): (typeof lists)[number] => {
      const scope = { projectId: 1, userId: 1, access }
      const list = (q: Queries, filter: EventFilter) => listEventsOfProject(q, scope, filter, page)
      return [`a project, ${Object.values(access).join()}`, list]
    }),
  ]

  it.each(lists)('is served by an index, and so is its count: %s', async (_, list) => {
    for (const filter of filters) {
      const plans = await plansOf((q) => list(q, filter))
      expect([...plans.keys()].filter((shape) => shape.includes('events.of'))).toHaveLength(2)
      for (const plan of plans.values()) {
        expect(costlySteps(plan).filter((step) => step !== 'SCAN CONSTANT ROW')).toEqual([])
        const [step, ...hidden] = plan.filter((one) => / events( |$)/.test(one))
        expect(step).toMatch(/^SEARCH events USING (COVERING )?INDEX events_(author|project)Id_/)
        // Events that are not counted are found by their subject.
        for (const one of hidden) expect(one).toMatch(/INDEX events_(target|noteable)Type_/)
      }
    }
  })
})

describe('listEventsOfGroup', () => {
  it.each(['admin', 'internal', 'external', 'anonymous'] as const)(
    'finds the first events of each project by an index, for %s',
    async (kind) => {
      const userId = kind === 'anonymous' ? null : 1
      const caller = { userId, admin: kind === 'admin', external: kind === 'external' }
      const scope = { groupId: 1, caller, today }
      for (const filter of filters) {
        const plans = await plansOf((q) => listEventsOfGroup(q, scope, filter, page))
        expect(plans.size).toBe(1)
        const plan = [...plans.values()].flat()
        const steps = plan.filter((step) =>
          /^(SEARCH|SCAN) (events|inside|projects|top)\b/.test(step),
        )
        const byProject = steps.filter((step) => step.includes('INDEX events_projectId_'))
        expect(byProject).toHaveLength(2)
        const others = steps.filter((step) => !byProject.includes(step))
        for (const step of others) expect(step).toMatch(/^SEARCH/)
        // The newest events of the projects and those that are shown: few, whatever the projects have.
        expect(plan.filter((step) => step.includes('FOR ORDER BY'))).toHaveLength(2)
      }
    },
  )

  it('merges the events of projects and subgroups, page by page, also where many are of one time', async () => {
    await using own = await openTestDatabase()
    const group = await buildNamespace(own)
    const subgroup = await buildNamespace(own, { parentId: group.id })
    const other = await buildNamespace(own)
    const author = await buildUser(own)
    const projects = await Promise.all(
      [group, subgroup, subgroup, other].map((namespace) => buildProject(own, namespace)),
    )
    const events = Array.from({ length: 60 }, (_, at) => ({
      projectId: projects[at % 4]?.id ?? 0,
      authorId: author.id,
      action: 'created' as const,
      createdAt: someTime + Math.floor(at / 7),
    }))
    await own.transaction((tx) => recordEvents(tx, events))
    const caller = { userId: author.id, admin: true, external: false }
    const scope = { groupId: group.id, caller, today }
    const expected = events.flatMap(({ projectId }, at) =>
      projectId === projects[3]?.id ? [] : [at + 1],
    )
    for (const sort of ['asc', 'desc'] as const) {
      const found: number[] = []
      for (let number = 1, more = true; more; number += 1) {
        const request = { page: number, perPage: 7 }
        const { items, hasMore } = await listEventsOfGroup(own, scope, { sort }, request)
        found.push(...items.map(({ id }) => id))
        more = hasMore ?? false
      }
      expect(found).toEqual(sort === 'asc' ? expected : expected.toReversed())
    }
  })
})

describe('removeOldEvents', () => {
  it('removes all old events in batches', async () => {
    await using own = await openTestDatabase()
    const { id } = await buildUser(own)
    const event = { projectId: null, authorId: id, action: 'created' } as const
    const events = [10, 20, 30, 40, 50, 1000].map((createdAt) => ({ ...event, createdAt }))
    await own.transaction((tx) => recordEvents(tx, events))
    const remove = () => own.transaction((tx) => removeOldEvents(tx, { cutoff: 100, limit: 3 }))
    expect([await remove(), await remove(), await remove()]).toEqual([3, 2, 0])
    const scope = { authorId: id, caller: { userId: id, admin: false, external: false }, today }
    expect((await listEventsOfAuthor(own, scope, newest, page)).total).toBe(1)
  })
})

describe('listBranchMoves', () => {
  it('is served by an index', async () => {
    const plans = await plansOf((q) => listBranchMoves(q, { projectId: 1, since: 1 }))
    const plan = [...plans.values()].flat()
    expect(plan).toEqual([
      expect.stringContaining('INDEX events_projectId_action_createdAt_id_index'),
    ])
  })
})
