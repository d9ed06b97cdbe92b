import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMergeRequests } from '../../../review/merge-requests/merge-request-list.ts'
import { mergeRequestTable } from '../../../review/merge-requests/work-item-table.ts'
import { openTestDatabase, type TestDatabase } from '../../../testing/index.ts'
import { callerOf, scopes, writeWorkItems } from '../../../testing/work-item-fixture.ts'
import { issueTable, listIssues } from '../../issues/issue-list.ts'
import { listedIssueColumns } from '../../issues/issue-row.ts'
import { listedMergeRequestColumns } from '../merge-request-row.ts'
import { planWorkItems } from './plan.ts'
import type { WorkItemRequest } from './work-item-filter.ts'
import { searchByWords, searchWorkItems } from './work-item-search.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
  await writeWorkItems(db)
})
afterAll(() => db.close())

const totalMs = 60_000
const searches = [
  'crash',
  'CRASH ärger',
  '"ash är"',
  'cr',
  'crash 1',
  'nothing',
  '"',
  'x'.repeat(1024),
]

const types = [
  { type: 'issues', table: issueTable, list: listIssues, columns: listedIssueColumns },
  {
    type: 'merge requests',
    table: mergeRequestTable,
    list: listMergeRequests,
    columns: listedMergeRequestColumns,
  },
] as const

/** Every search in every scope by every caller. */
function requests(): WorkItemRequest[] {
  const callers = [callerOf(0), callerOf(1), callerOf(2), callerOf(null), callerOf(2, true)]
  const order = { today: '2019-06-15', orderBy: 'created_at', sort: 'desc' } as const
  return searches.flatMap((search) =>
    scopes().flatMap((scope) =>
      callers.map((caller) => ({ scope, caller, filter: { search }, ...order })),
    ),
  )
}

const newestFirst = (rows: readonly { id: number }[]) =>
  rows.map(({ id }) => id).toSorted((a, b) => b - a)

describe.each(types)('a search of $type', ({ table, list, columns }) => {
  it('finds what the list does', async () => {
    let found = 0
    for (const request of requests()) {
      const listed = await list(db, request, { page: 1, perPage: 100 })
      const page = { page: 1, perPage: 100 }
      const all = await searchWorkItems<{ id: number }>(
        db,
        table,
        { columns },
        { request, page, totalMs },
      )
      const message = JSON.stringify(request)
      expect(newestFirst(all.items), message).toEqual(newestFirst(listed.items))
      expect(all.total, message).toBe(listed.total)
      const second = { request, page: { page: 2, perPage: 3 }, totalMs }
      const some = await searchWorkItems<{ id: number }>(db, table, { columns }, second)
      expect(some.items, message).toEqual(all.items.slice(3, 6))
      expect(some.total, message).toBe(listed.total)
      found += listed.total
    }
    expect(found).toBeGreaterThan(500)
  }, 120_000)

  it('finds the same by the index of words, whether or not the projects are known', async () => {
    let compared = 0
    for (const request of requests()) {
      const listed = newestFirst((await list(db, request, { page: 1, perPage: 100 })).items)
      for (const resolves of [false, true]) {
        const plan = await planWorkItems(db, table, request, { resolves })
        const driver = plan?.driver
        if (plan === undefined || driver?.name !== 'texts') continue
        for (const page of [
          { page: 1, perPage: 100 },
          { page: 2, perPage: 2 },
        ]) {
          const search = { request, page, totalMs, plan, driver }
          const found = await searchByWords<{ id: number }>(db, search, { columns })
          const message = JSON.stringify([request, resolves, page])
          const start = (page.page - 1) * page.perPage
          expect(
            found.items.map(({ id }) => id),
            message,
          ).toEqual(listed.slice(start, start + page.perPage))
          expect(found.total, message).toBe(listed.length)
          compared += 1
        }
      }
    }
    // PostgreSQL chooses its indices by itself.
    if (db.dialect === 'sqlite') expect(compared).toBeGreaterThan(400)
    else expect(compared).toBe(0)
  }, 120_000)
})
