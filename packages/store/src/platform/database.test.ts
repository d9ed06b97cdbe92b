import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildUser, openTestDatabase, type TestDatabase } from '../testing/index.ts'
import { openDatabase } from './database.ts'
import { isUniqueViolation } from './errors.ts'
import { enqueueJob } from './jobs/job-store.ts'
import type { Database, Queries, Transaction } from './queries/queries.ts'

let db: TestDatabase
const problems: string[] = []

beforeEach(async () => {
  problems.length = 0
  db = await openTestDatabase({
    logger: { error: (_, message) => problems.push(message), warn: () => {} },
  })
})

afterEach(() => db.close())

function usernames(q: Queries): Promise<string[]> {
  return q
    .all('test.usernames', {}, (kysely) =>
      kysely.selectFrom('users').select('username').orderBy('usernameLower'),
    )
    .then((rows) => rows.map((row) => row.username))
}

/** A promise and its resolver. */
function latch() {
  return Promise.withResolvers<void>()
}

describe('reading and writing', () => {
  it('gives integers back as numbers and nulls as null', async () => {
    const { id } = await buildUser(db, { username: 'ada', createdAt: 1_559_347_200_000 })
    const row = await db.first('test.user', { id }, (kysely, $) =>
      kysely
        .selectFrom('users')
        .where('id', '=', $('id'))
        .select(['id', 'createdAt', 'admin', 'bio', 'publicEmail']),
    )
    expect(row).toEqual({ id, createdAt: 1_559_347_200_000, admin: 0, bio: null, publicEmail: '' })
  })

  it('counts and sums as numbers', async () => {
    await buildUser(db)
    await buildUser(db)
    const row = await db.first('test.figures', {}, (kysely) =>
      kysely
        .selectFrom('users')
        .select((eb) => [
          eb.fn.countAll<number>().as('count'),
          eb.fn.sum<number>('themeId').as('sum'),
        ]),
    )
    expect(row).toEqual({ count: 2, sum: 2 })
  })

  it('returns undefined for the first row of an empty result', async () => {
    const row = await db.first('test.none', { id: 404 }, (kysely, $) =>
      kysely.selectFrom('users').where('id', '=', $('id')).select('id'),
    )
    expect(row).toBeUndefined()
  })

  it('returns how many rows an update changed', async () => {
    const ada = await buildUser(db)
    const update = (id: number) =>
      db.run('test.rename', { id, name: 'Ada' }, (kysely, $) =>
        kysely
          .updateTable('users')
          .set({ name: $('name') })
          .where('id', '=', $('id')),
      )
    expect(await update(ada.id)).toEqual({ changes: 1 })
    expect(await update(ada.id + 1)).toEqual({ changes: 0 })
  })

  it('compares and sorts texts by bytes', async () => {
    for (const usernameLower of ['b', 'a', 'B', 'A', 'ä', 'Z']) {
      await buildUser(db, { username: usernameLower, usernameLower, emailLower: usernameLower })
    }
    expect(await usernames(db)).toEqual(['A', 'B', 'Z', 'a', 'b', 'ä'])
  })

  it('counts its statements', async () => {
    const before = db.stats.queries
    await usernames(db)
    await db.transaction((tx) => usernames(tx))
    expect(db.stats.queries - before).toBe(2)
  })

  it('also runs sql templates', async () => {
    const rows = await db.all(
      'test.raw',
      { a: 40 },
      (_, $) => sql<{ answer: number }>`select cast(${$('a')} as integer) + ${2} as answer`,
    )
    expect(rows).toEqual([{ answer: 42 }])
  })

  it('rejects a foreign key to a missing row', async () => {
    const insert = db.run('test.identity', {}, (kysely) =>
      kysely.insertInto('identities').values({ userId: 404, provider: 'ldap', externUid: 'x' }),
    )
    await expect(insert).rejects.toMatchObject({ name: 'StoreError', code: 'reference' })
  })
})

describe('unique violations', () => {
  it('name the table and the columns of the key', async () => {
    const row = { userId: (await buildUser(db)).id }
    const insert = () =>
      db.run('test.identity', row, (kysely, $) =>
        kysely
          .insertInto('identities')
          .values({ userId: $('userId'), provider: 'ldap', externUid: 'x=(y)' }),
      )
    await insert()
    const error = await insert().catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      name: 'UniqueViolationError',
      code: 'unique',
      table: 'identities',
      columns: ['provider', 'externUid'],
    })
    expect(isUniqueViolation(error, 'externUid')).toBe(true)
    expect(isUniqueViolation(error, 'username')).toBe(false)
  })
})

describe('transaction', () => {
  it('commits its changes, and rolls back when it throws', async () => {
    await db.transaction((tx) => buildUser(tx, { username: 'kept' }))
    const failing = db.transaction(async (tx) => {
      await buildUser(tx, { username: 'lost' })
      expect(await usernames(tx)).toEqual(['kept', 'lost'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await usernames(db)).toEqual(['kept'])
  })

  it('runs onCommit actions after the commit, in order, and logs those that fail', async () => {
    const order: string[] = []
    await db.transaction(async (tx) => {
      tx.onCommit(() => order.push('first'))
      tx.onCommit(() => {
        throw new Error('no')
      })
      tx.onCommit(() => order.push('last'))
      await buildUser(tx)
      expect(order).toEqual([])
    })
    expect(order).toEqual(['first', 'last'])
    expect(problems).toEqual(['An action after a commit failed'])
  })

  it('runs beforeCommit actions last, once per key, in the order of the keys', async () => {
    const order: string[] = []
    const note = (text: string) => async () => {
      order.push(text)
    }
    await db.transaction(async (tx) => {
      tx.beforeCommit('b', note('b'))
      tx.beforeCommit('a', note('first a'))
      tx.beforeCommit('a', async () => {
        await buildUser(tx, { username: 'late' })
        order.push('a')
      })
      tx.onCommit(() => order.push('committed'))
      expect(order).toEqual([])
    })
    expect(order).toEqual(['a', 'b', 'committed'])
    expect(await usernames(db)).toEqual(['late'])
  })

  it('is rolled back when a beforeCommit action fails', async () => {
    const failing = db.transaction(async (tx) => {
      await buildUser(tx)
      tx.beforeCommit('a', async () => {
        throw new Error('no')
      })
    })
    await expect(failing).rejects.toThrow('no')
    expect(await usernames(db)).toEqual([])
  })

  it('wakes the workers once after the commit, and not after a rollback', async () => {
    let woken = 0
    db.onJobs(() => {
      woken += 1
    })
    const job = { queue: 'default', kind: 'test', payload: {} }
    await db.transaction(async (tx) => {
      await enqueueJob(tx, job, 1)
      await enqueueJob(tx, job, 1)
      expect(woken).toBe(0)
    })
    expect(woken).toBe(1)
    await db.transaction((tx) => enqueueJob(tx, { ...job, runAt: 2 }, 1))
    expect(woken).toBe(1)
    const failing = db.transaction(async (tx) => {
      await enqueueJob(tx, job, 1)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(woken).toBe(1)
  })

  it('drops the onCommit actions on a rollback', async () => {
    const order: string[] = []
    const failing = db.transaction(async (tx) => {
      tx.onCommit(() => order.push('never'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(order).toEqual([])
  })

  it('is aborted by its first failed statement, even if the error is caught', async () => {
    const work = db.transaction(async (tx) => {
      await buildUser(tx, { username: 'twice' })
      await buildUser(tx, { username: 'twice' }).catch(() => undefined)
      await expect(usernames(tx)).rejects.toMatchObject({ code: 'aborted' })
    })
    await expect(work).rejects.toMatchObject({ code: 'unique' })
    expect(await usernames(db)).toEqual([])
  })

  it('rejects statements on its handle after the end', async () => {
    let handle: Transaction | undefined
    await db.transaction(async (tx) => {
      handle = tx
    })
    await expect(usernames(handle ?? db)).rejects.toMatchObject({ code: 'closed' })
  })

  it('rejects a nested transaction, which would wait for itself', async () => {
    const nested = db.transaction(() => db.transaction((tx) => usernames(tx)))
    await expect(nested).rejects.toMatchObject({ code: 'nested' })
    const outside = db.transaction(() =>
      db.run('test.all', {}, (kysely) => kysely.updateTable('users').set({ admin: 1 })),
    )
    await expect(outside).rejects.toMatchObject({ code: 'nested' })
  })

  it('does not block reads outside, which see its changes only after the commit', async () => {
    const reached = latch()
    const leave = latch()
    const work = db.transaction(async (tx) => {
      await buildUser(tx, { username: 'new' })
      reached.resolve()
      await leave.promise
    })
    await reached.promise
    expect(await usernames(db)).toEqual([])
    leave.resolve()
    await work
    expect(await usernames(db)).toEqual(['new'])
  })

  it('increments a number without losing any of forty concurrent increments', async () => {
    const { id } = await buildUser(db)
    const second = await db.openAgain()
    const add = (database: Database) =>
      database.transaction(async (tx) => {
        const row = await tx.first('test.theme', { id }, (kysely, $) => {
          const query = kysely.selectFrom('users').where('id', '=', $('id')).select('themeId')
          return db.dialect === 'postgres' ? query.forUpdate() : query
        })
        await tx.run('test.setTheme', { id, themeId: (row?.themeId ?? 0) + 1 }, (kysely, $) =>
          kysely
            .updateTable('users')
            .set({ themeId: $('themeId') })
            .where('id', '=', $('id')),
        )
      })
    await Promise.all(Array.from({ length: 40 }, (_, i) => add(i % 2 === 0 ? db : second)))
    const row = await db.first('test.theme', { id }, (kysely, $) => {
      const query = kysely.selectFrom('users').where('id', '=', $('id')).select('themeId')
      return db.dialect === 'postgres' ? query.forUpdate() : query
    })
    expect(row?.themeId).toBe(41)
  })
})

describe('a database in memory', () => {
  it('makes reads wait for the transaction', async () => {
    const memory = await openDatabase({ file: ':memory:', checkShapes: true })
    await memory.migrate()
    const leave = latch()
    const work = memory.transaction(async (tx) => {
      await buildUser(tx, { username: 'new' })
      await leave.promise
    })
    const reading = usernames(memory)
    leave.resolve()
    await work
    expect(await reading).toEqual(['new'])
    await memory.close()
  })
})
