import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildUser, openTestDatabase, someTime, type TestDatabase } from '../../testing/index.ts'
import { countRows, listUncached, selectPage } from './page.ts'
import type { Database, Queries } from './queries.ts'
import { deleteProjectStamps, readStamps, type Stamp, stampOf, touchStamp } from './stamps.ts'

let now = someTime
let db: TestDatabase

beforeEach(async () => {
  now = someTime
  db = await openTestDatabase({ now: () => now })
})

afterEach(() => db.close())

function countUsers(q: Queries): Promise<number> {
  return countRows(q, {
    shape: 'test.count',
    args: { kind: 'human' as const },
    stamp: ['users'],
    build: (kysely, $) =>
      kysely
        .selectFrom('users')
        .where('kind', '=', $('kind'))
        .select((eb) => eb.fn.countAll<number>().as('total')),
  })
}

function addUser(database: Database): Promise<void> {
  return database.transaction(async (tx) => {
    await buildUser(tx)
    touchStamp(tx, 'users')
  })
}

/** The number of statements that the work runs. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const before = db.stats.queries
  await work()
  return db.stats.queries - before
}

/** Adds users in batches of a thousand, without touching a stamp. */
function addMany(database: Database, from: number, count: number): Promise<void> {
  return database.transaction(async (tx) => {
    for (let i = from; i < from + count; i += 1) {
      await tx.run('test.add', { name: `many${i}`, now: someTime }, (kysely, $) =>
        kysely.insertInto('users').values({
          username: $('name'),
          usernameLower: $('name'),
          name: $('name'),
          nameLower: $('name'),
          email: $('name'),
          emailLower: $('name'),
          createdAt: $('now'),
          updatedAt: $('now'),
        }),
      )
    }
  })
}

describe('touchStamp', () => {
  it('raises the version, and only with the commit', async () => {
    await addUser(db)
    const failing = db.transaction(async (tx) => {
      touchStamp(tx, 'users', 'members')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await addUser(db)
    expect(await readStamps(db, ['users', 'members'])).toEqual({ users: 2, members: 0 })
  })

  const stamps = ['issues:1', 'issues:2', 'events:1', 'issues', 'events'] as const
  const raisedBy = async (...touched: Stamp[]): Promise<string[]> => {
    const before = await readStamps(db, stamps)
    await db.transaction(async (tx) => touchStamp(tx, ...touched))
    const after = await readStamps(db, stamps)
    return stamps.filter((name) => (after[name] ?? 0) > (before[name] ?? 0))
  }

  it('raises the version of one project, and that of the instance', async () => {
    expect(await raisedBy('issues:1')).toEqual(['issues:1', 'issues'])
    expect(await raisedBy('issues:2')).toEqual(['issues:2', 'issues'])
    expect(await raisedBy('events:1', 'issues:1')).toEqual([
      'issues:1',
      'events:1',
      'issues',
      'events',
    ])
  })

  it('raises the version of every project when it names none', async () => {
    expect(await raisedBy('issues')).toEqual(['issues:1', 'issues:2', 'issues'])
  })

  it('raises a version once in a transaction', async () => {
    await db.transaction(async (tx) => touchStamp(tx, 'issues:1', 'issues:1', 'issues:2'))
    expect(await readStamps(db, ['issues:1', 'issues'])).toEqual({ 'issues:1': 1, issues: 1 })
    expect(await readStamps(db, ['issues'])).toEqual({ issues: 1 })
  })

  it('loses no change of concurrent transactions', async () => {
    const touch = (id: number) =>
      db.transaction(async (tx) => touchStamp(tx, stampOf('issues', id)))
    await Promise.all(Array.from({ length: 40 }, (_, index) => touch(1 + (index % 4))))
    expect(await readStamps(db, ['issues', 'issues:1'])).toEqual({ issues: 40, 'issues:1': 10 })
  })

  it('keeps nothing of a deleted project', async () => {
    await raisedBy('issues:1', 'issues:2')
    await db.transaction((tx) => deleteProjectStamps(tx, 1))
    expect(await readStamps(db, ['issues:1', 'issues:2'])).toEqual({ 'issues:1': 0, 'issues:2': 1 })
  })
})

describe('countRows', () => {
  it('counts once while the stamp is unchanged, and again when it changes', async () => {
    await addUser(db)
    expect(await statements(() => countUsers(db))).toBe(2)
    expect(await statements(() => countUsers(db))).toBe(1)
    await addUser(db)
    expect(await countUsers(db)).toBe(2)
  })

  it('is never stale in another process', async () => {
    const other = await db.openAgain()
    expect(await countUsers(other)).toBe(0)
    await addUser(db)
    expect(await countUsers(other)).toBe(1)
  })

  it('caches nothing of a transaction that is rolled back', async () => {
    const failing = db.transaction(async (tx) => {
      await buildUser(tx)
      touchStamp(tx, 'users')
      expect(await countUsers(tx)).toBe(1)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await addUser(db)
    await addUser(db)
    expect(await countUsers(db)).toBe(2)
  })

  it('counts once for those who ask at the same time', async () => {
    await addUser(db)
    const five = () => Promise.all(Array.from({ length: 5 }, () => countUsers(db)))
    // Each reads the stamp.
    expect(await statements(async () => expect(await five()).toEqual([1, 1, 1, 1, 1]))).toBe(6)
  })

  it('takes a large count again while the old one is served', async () => {
    await addMany(db, 0, 10_001)
    expect(await countUsers(db)).toBe(10_001)
    await addUser(db)
    now += 30_000
    expect(await countUsers(db)).toBe(10_001)
    await expect.poll(() => countUsers(db)).toBe(10_002)
  })

  it('reuses a count above 10,000 for a minute', async () => {
    await addMany(db, 0, 10_001)
    expect(await countUsers(db)).toBe(10_001)
    await addUser(db)
    now += 59_999
    expect(await countUsers(db)).toBe(10_001)
    now += 1
    expect(await countUsers(db)).toBe(10_002)
  })
})

describe('selectPage', () => {
  const list = {
    shape: 'test.list',
    args: {},
    key: 'users.id' as const,
  }

  function names(page: number, perPage: number): Promise<string[]> {
    return selectPage(
      db,
      { page, perPage },
      {
        ...list,
        from: (kysely) => kysely.selectFrom('users').where('users.kind', '=', 'human'),
        order: (query) => query.orderBy('users.nameLower', 'desc').orderBy('users.id', 'desc'),
        columns: (query) => query.select('users.username'),
      },
    ).then((rows) => rows.map((row) => row.username))
  }

  it('returns the same rows, in the same order, on first and deep pages', async () => {
    await addMany(db, 0, 1300)
    const all = await names(1, 2000)
    expect(all).toHaveLength(1300)
    expect(all).toEqual(all.toSorted().toReversed())
    const pages = fc.record({
      page: fc.integer({ min: 1, max: 70 }),
      perPage: fc.constantFrom(20, 33, 100),
    })
    await fc.assert(
      fc.asyncProperty(pages, async ({ page, perPage }) => {
        const start = (page - 1) * perPage
        expect(await names(page, perPage)).toEqual(all.slice(start, start + perPage))
      }),
      { numRuns: 40 },
    )
  })
})

describe('listUncached', () => {
  it('counts only where the page does not show where the list ends', async () => {
    await addMany(db, 0, 5)
    const read = (page: number, perPage: number) =>
      listUncached(
        db,
        { page, perPage },
        {
          shape: 'test.uncached',
          args: {},
          key: 'users.id',
          from: (kysely) => kysely.selectFrom('users').where('users.kind', '=', 'human'),
          order: (query) => query.orderBy('users.id'),
          columns: (query) => query.select('users.id'),
        },
      )
    const cases = [
      { page: 1, perPage: 6, rows: 5, queries: 1 },
      { page: 2, perPage: 3, rows: 2, queries: 1 },
      { page: 1, perPage: 5, rows: 5, queries: 2 },
      { page: 1, perPage: 2, rows: 2, queries: 2 },
      { page: 2, perPage: 5, rows: 0, queries: 2 },
      { page: 9, perPage: 5, rows: 0, queries: 2 },
    ]
    for (const { page, perPage, rows, queries } of cases) {
      expect(await statements(() => read(page, perPage))).toBe(queries)
      const { items, ...rest } = await read(page, perPage)
      expect([items.length, rest]).toEqual([rows, { total: 5, page, perPage }])
    }
    await db.run('test.none', {}, (kysely) => kysely.deleteFrom('users'))
    expect(await read(1, 5)).toEqual({ items: [], total: 0, page: 1, perPage: 5 })
  })
})
