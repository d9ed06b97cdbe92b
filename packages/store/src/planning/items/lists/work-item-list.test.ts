import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMergeRequests } from '../../../review/merge-requests/merge-request-list.ts'
import { mergeRequestTable } from '../../../review/merge-requests/work-item-table.ts'
import {
  buildProject,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../../testing/index.ts'
import {
  at,
  callerOf,
  expected,
  filters,
  group,
  issues,
  modelOf,
  projects,
  requestFilters,
  requests,
  scopes,
  writeWorkItems,
} from '../../../testing/work-item-fixture.ts'
import { putIssue, putLabel } from '../../../testing/work-items.ts'
import { issueTable, listIssues } from '../../issues/issue-list.ts'
import { listedIssueColumns } from '../../issues/issue-row.ts'
import { listedMergeRequestColumns } from '../merge-request-row.ts'
import { planWorkItems, type WorkItemPlan } from './plan.ts'
import type { ReadStrategy } from './reading/choose-read-strategy.ts'
import { type Driver, orderDriver, scopeDriver } from './reading/driver.ts'
import { maxPartitions } from './scope.ts'
import type { WorkItemFilter, WorkItemListScope, WorkItemRequest } from './work-item-filter.ts'
import { countWorkItems, readWorkItems } from './work-item-list.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
  await writeWorkItems(db)
})

afterAll(() => db.close())

const orders = [
  { orderBy: 'created_at', sort: 'desc' },
  { orderBy: 'created_at', sort: 'asc' },
  { orderBy: 'updated_at', sort: 'desc' },
  { orderBy: 'updated_at', sort: 'asc' },
] as const

const today = '2019-06-15'

/** Merge requests are hidden from nobody here but in a scope that leaves out hidden ones. */
function expectedRequests(request: WorkItemRequest): number[] {
  const { scope, caller } = request
  const ids = expected(requests, request, true)
  if (scope.kind !== 'project' || scope.includesHidden) return ids
  return ids.filter((id) => {
    const found = requests.find((one) => one.id === id)
    const { userId } = caller
    return userId !== null && (found?.authorId === userId || found?.assigneeIds.includes(userId))
  })
}

const onlyOfIssues = ['weight', 'confidential']
const types = [
  {
    type: 'issues',
    table: issueTable,
    list: listIssues,
    columns: listedIssueColumns,
    filters,
    find: (request: WorkItemRequest) => expected(issues, request),
  },
  {
    type: 'merge requests',
    table: mergeRequestTable,
    list: listMergeRequests,
    columns: listedMergeRequestColumns,
    filters: (): [string, WorkItemFilter][] => [
      ...filters().filter(([, filter]) => !onlyOfIssues.some((name) => name in filter)),
      ...requestFilters(),
    ],
    find: expectedRequests,
  },
] as const

/** Whether the scope is what the policy would give the caller with this index. */
function suits(scope: WorkItemListScope, index: number): boolean {
  return scope.kind !== 'project' || scope.includesHidden === (index === 0 || index === 4)
}

/** Every kind to read the list, chosen or not. */
function strategiesOf(plan: WorkItemPlan): ReadStrategy[] {
  const inScope = scopeDriver(plan.table, plan.scope, plan.orderBy)
  const drivers = [...(plan.driver === undefined ? [] : [plan.driver]), inScope]
  const byAge = (driver: Driver) => plan.orderBy === 'created_at' || driver.name === 'scope'
  const merged = drivers.filter((driver) => driver.partitions !== undefined && byAge(driver))
  return [
    ...[...drivers, orderDriver(plan.orderBy)].map((driver) => ({ kind: 'flat', driver }) as const),
    ...merged.map((driver) => ({ kind: 'partitions', driver }) as const),
  ]
}

describe.each(types)('a list of $type', ({ table, list, columns, filters: filtersOf, find }) => {
  it('finds what the model says, for each filter, scope, caller and order', async () => {
    const callers = [callerOf(0), callerOf(1), callerOf(2), callerOf(null), callerOf(2, true)]
    for (const [name, filter] of filtersOf()) {
      for (const scope of scopes()) {
        for (const [index, caller] of callers.entries()) {
          if (!suits(scope, index)) continue
          for (const order of index === 0 ? orders : orders.slice(0, 1)) {
            const request = { scope, filter, caller, today, ...order }
            const found = await list(db, request, { page: 1, perPage: 100 })
            const ids = find(request)
            const message = `${name}, ${JSON.stringify([scope, index, order])}`
            expect(
              found.items.map((row) => row.id),
              message,
            ).toEqual(ids)
            expect(found.total, message).toBe(ids.length)
            const second = await list(db, request, { page: 2, perPage: 3 })
            expect(
              second.items.map((row) => row.id),
              message,
            ).toEqual(ids.slice(3, 6))
          }
        }
      }
    }
  }, 120_000)

  it('finds the same by every read strategy', async () => {
    let compared = 0
    for (const [name, filter] of filtersOf()) {
      for (const scope of scopes()) {
        for (const order of orders) {
          const caller = callerOf(scope.kind === 'project' && scope.includesHidden ? 0 : 1)
          const request = { scope, filter, caller, today, ...order }
          const plan = await planWorkItems(db, table, request)
          if (plan === undefined) continue
          const ids = find(request)
          const page = { page: 2, perPage: 4 }
          for (const strategy of strategiesOf(plan)) {
            const reading = { columns, strategy }
            const rows = await readWorkItems<{ id: number }>(db, plan, reading, page)
            const message = `${name}, ${JSON.stringify([scope, order, strategy.kind, strategy.driver.name])}`
            expect(
              rows.map((row) => row.id),
              message,
            ).toEqual(ids.slice(4, 8))
            compared += 1
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(2000)
  }, 120_000)

  it('finds the same when the caller can see too many projects for partitions', async () => {
    const undo = new Error('undo')
    const work = db.transaction(async (tx) => {
      for (let left = maxPartitions; left > 0; left -= 1) {
        const { id: projectId } = await buildProject(tx, group, { visibility: 'public' })
        // Too many labels for partitions, too; milestones are few enough.
        await putLabel(tx, { id: 1000 + left, title: 'bug', projectId, groupId: null })
      }
      for (const [name, filter] of filtersOf()) {
        for (const scope of scopes().slice(2)) {
          const request = { scope, filter, caller: callerOf(1), today, ...at(orders, 0) }
          const plan = await planWorkItems(tx, table, request)
          if (plan === undefined) continue
          expect(plan.scope.kind).toBe('visible')
          const ids = find(request)
          expect((await countWorkItems(tx, plan)).total, name).toBe(ids.length)
          for (const strategy of strategiesOf(plan)) {
            const page = { page: 1, perPage: 100 }
            const reading = { columns, strategy }
            const rows = await readWorkItems<{ id: number }>(tx, plan, reading, page)
            const message = `${name}, ${JSON.stringify([scope, strategy.kind, strategy.driver.name])}`
            expect(
              rows.map((row) => row.id),
              message,
            ).toEqual(ids)
          }
        }
      }
      throw undo
    })
    await expect(work).rejects.toBe(undo)
  }, 120_000)
})

describe('listIssues', () => {
  it('returns whole rows with the path of their project', async () => {
    const scope = { kind: 'anywhere', archived: true } as const
    const request = { scope, filter: {}, caller: callerOf(0), today, ...at(orders, 0) }
    const { items } = await listIssues(db, request, { page: 1, perPage: 1 })
    expect(items[0]).toMatchObject({ id: 90, title: 'Crash ÄRGER 90', iid: 30, confidential: 0 })
    expect(items[0]?.projectFullPath).toBe(at(projects, 0).fullPath)
  })
})

describe('an issue whose `updatedAt` is before its `createdAt`', () => {
  it('is found by that date', async () => {
    const undo = new Error('undo')
    const work = db.transaction(async (tx) => {
      const times = { createdAt: someTime + 200_000, updatedAt: someTime - 5000 }
      await putIssue(tx, { ...modelOf(1), id: 1000, iid: 1000, ...times })
      const filter = { updatedUntil: someTime }
      const scope = { kind: 'anywhere', archived: true } as const
      const request = { scope, filter, caller: callerOf(0, true), today, ...at(orders, 0) }
      const { items } = await listIssues(tx, request, { page: 1, perPage: 20 })
      expect(items.map((row) => row.id)).toEqual([1000])
      throw undo
    })
    await expect(work).rejects.toBe(undo)
  })
})
