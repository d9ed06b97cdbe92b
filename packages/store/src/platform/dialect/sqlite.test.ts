import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildUser } from '../../testing/index.ts'
import { openDatabase } from '../database.ts'
import type { Database } from '../queries/queries.ts'
import { maxStatements } from './prepared-statements.ts'
import { fromSqliteError } from './sqlite-errors.ts'

let folder: string
let file: string
let db: Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stithy-sqlite-'))
  file = join(folder, 'test.db')
  db = await openDatabase({ file })
  await db.migrate()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await db.close()
  await rm(folder, { recursive: true })
})

function findUser(id: number, name = 'test.find') {
  return db.first(name, { id }, (kysely, $) =>
    kysely.selectFrom('users').where('id', '=', $('id')).select('username'),
  )
}

describe('openSqlite', () => {
  it('prepares the statement of a shape once', async () => {
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    for (const id of [1, 2, 3]) await findUser(id)
    expect(prepare).toHaveBeenCalledTimes(1)
  })

  it('keeps the statements that are used, of more than it has room for', async () => {
    const names = Array.from({ length: maxStatements + 50 }, (_, index) => `test.find-${index}`)
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    for (const name of names) {
      await findUser(1, name)
      await findUser(1)
    }
    expect(prepare).toHaveBeenCalledTimes(names.length + 1)
    await findUser(1, names.at(-1))
    expect(prepare).toHaveBeenCalledTimes(names.length + 1)
    await findUser(1, names[0])
    expect(prepare).toHaveBeenCalledTimes(names.length + 2)
  })

  it('survives a crash and allows reads during writes', () => {
    const other = new Sqlite(file)
    expect(other.pragma('journal_mode', { simple: true })).toBe('wal')
    other.close()
  })

  it('waits for another process that writes, without blocking the event loop', async () => {
    const other = new Sqlite(file)
    other.exec('begin immediate')
    let reads = 0
    const writing = [db.transaction((tx) => buildUser(tx)), buildUser(db)]
    for (let i = 0; i < 10; i += 1) {
      await findUser(1)
      reads += 1
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    other.exec('commit')
    other.close()
    expect(reads).toBe(10)
    expect((await Promise.all(writing)).map((user) => user.id)).toEqual([1, 2])
  })

  it('rejects a write by a query that is not an insert, update or delete', async () => {
    const sneaky = db.all('test.sneaky', {}, () => sql`delete from users returning id`)
    await expect(sneaky).rejects.toThrow(/readonly/)
  })
})

describe('fromSqliteError', () => {
  function errorOf(work: (database: Sqlite.Database) => void): unknown {
    const database = new Sqlite(file)
    try {
      work(database)
      return undefined
    } catch (error) {
      return fromSqliteError(error)
    } finally {
      database.close()
    }
  }

  it('returns full when there is no space left', () => {
    const error = errorOf((database) => {
      database.pragma('max_page_count = 1')
      database.exec(`insert into settings values ('big', zeroblob(10000000), 0)`)
    })
    expect(error).toMatchObject({ name: 'StoreError', code: 'full' })
  })

  it('returns busy when another process locks the database', () => {
    const error = errorOf((database) => {
      database.exec('begin immediate')
      const other = new Sqlite(file, { timeout: 0 })
      try {
        other.exec('begin immediate')
      } finally {
        other.close()
      }
    })
    expect(error).toMatchObject({ name: 'StoreError', code: 'busy' })
  })

  it('returns other errors unchanged', () => {
    expect(errorOf((database) => database.exec('nonsense'))).toMatchObject({
      code: 'SQLITE_ERROR',
    })
  })
})
