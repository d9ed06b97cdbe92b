import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildUser,
  explainQuery,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { listFullUsers, listUsers, type UserFilter } from './user-list.ts'
import { insertUser } from './user-store.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const page = { page: 1, perPage: 100 }

describe('listUsers', () => {
  it('searches for part of a name or username, or a complete e-mail address', async () => {
    const user = await buildUser(db, {
      name: 'Änne Müller',
      username: 'Writer_1',
      usernameLower: 'writer_1',
      email: 'Anne@Example.org',
    })
    const find = async (filter: UserFilter) =>
      (await listUsers(db, filter, page)).items.map((row) => row.id)
    expect(await find({ search: 'müll' })).toEqual([user.id])
    expect(await find({ search: 'ANNE@example.ORG' })).toEqual([user.id])
    expect(await find({ search: 'anne@' })).toEqual([])
    expect(await find({ search: 'anne@', partsOfEmail: true })).toEqual([user.id])
    for (const partsOfEmail of [false, true]) {
      expect(await find({ search: 'RITER_', partsOfEmail })).toEqual([user.id])
      expect(await find({ search: 'writer11', partsOfEmail })).toEqual([])
    }
    expect(await find({ search: '%' })).toEqual([])
  })

  it('leaves out users who are being deleted', async () => {
    const user = await buildUser(db, { kind: 'leaving' })
    const { items, total } = await listUsers(db, {}, page)
    expect(items.map((row) => row.id)).not.toContain(user.id)
    expect(total).toBe(items.length)
  })

  it('counts all users and returns a page', async () => {
    await db.transaction(async (tx) => {
      for (const username of ['one', 'two', 'three']) {
        const user = { username, name: username, email: `${username}@example.com` }
        await insertUser(tx, { ...user, createdAt: someTime, updatedAt: someTime })
      }
    })
    const found = await listUsers(
      db,
      { orderBy: 'nameLower', direction: 'asc' },
      { page: 2, perPage: 1 },
    )
    expect(found.items).toHaveLength(1)
    expect(found.total).toBeGreaterThan(2)
  })
})

describe('listFullUsers', () => {
  it('never returns the password hash', async () => {
    await buildUser(db, { passwordHash: 'the-hash' })
    const { items } = await listFullUsers(db, {}, page)
    expect(JSON.stringify(items)).not.toContain('the-hash')
  })
})

describe('the order of a list of users', () => {
  const orders = ['id', 'nameLower', 'usernameLower', 'createdAt', 'updatedAt'] as const
  for (const order of orders) {
    for (const direction of ['asc', 'desc'] as const) {
      it(`is served by an index: ${order}, ${direction}`, async () => {
        const plan = await explainQuery((kysely) => {
          const users = kysely
            .selectFrom('users')
            .select('users.username')
            .where('users.kind', '<>', 'leaving')
            .orderBy(`users.${order}`, direction)
          return (order === 'id' ? users : users.orderBy('users.id', direction)).limit(20)
        })
        expect(plan).not.toContainEqual(expect.stringContaining('TEMP B-TREE'))
      })
    }
  }
})
