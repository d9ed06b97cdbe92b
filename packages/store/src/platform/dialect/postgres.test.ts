import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildUser, openTestDatabase, type TestDatabase } from '../../testing/index.ts'
import { openDatabase } from '../database.ts'
import { StoreError } from '../errors.ts'
import type { Transaction } from '../queries/queries.ts'

const server = process.env.STITHY_TEST_DATABASE_URL ?? ''

describe('openPostgres', () => {
  it('throws unavailable when no server responds', async () => {
    const db = await openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
    const error = await db.ping().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({ code: 'unavailable' })
    await db.close()
  })
})

describe.skipIf(server === '')('a PostgreSQL transaction', () => {
  let db: TestDatabase

  beforeEach(async () => {
    db = await openTestDatabase()
  })

  afterEach(() => db.close())

  function rename(tx: Transaction, id: number, name: string) {
    return tx.run('test.rename', { id, name }, (kysely, $) =>
      kysely
        .updateTable('users')
        .set({ name: $('name') })
        .where('id', '=', $('id')),
    )
  }

  it('is retried after a deadlock', async () => {
    const [a, b] = [await buildUser(db), await buildUser(db)]
    let attempts = 0
    let holding = 0
    const both = Promise.withResolvers<void>()
    const swap = (name: string, first: number, second: number) =>
      db.transaction(async (tx) => {
        attempts += 1
        await rename(tx, first, name)
        // They can only wait for each other once each of them holds its first row.
        holding += 1
        if (holding === 2) both.resolve()
        await both.promise
        await rename(tx, second, name)
      })
    await Promise.all([swap('x', a.id, b.id), swap('y', b.id, a.id)])
    // On a busy machine the second attempt may conflict with the first transaction again.
    expect(attempts).toBeGreaterThan(2)
    const rows = await db.all('test.names', {}, (kysely) =>
      kysely.selectFrom('users').select('name').distinct(),
    )
    expect(rows).toHaveLength(1)
  })
})
