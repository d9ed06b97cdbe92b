import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildNamespace, buildProject, buildUser } from '../../testing/index.ts'
import { findIssueTexts, putDescribedIssue } from '../../testing/issue-texts.ts'
import { scriptForAll } from '../../testing/thread-scripts.ts'
import { openDatabase } from '../database.ts'
import type { Database, Queries } from '../queries/queries.ts'
import type { ThreadScripts } from './database-thread.ts'
import { countSegments, mergeFullTextTable } from './full-text-tables.ts'

interface LoggedError {
  message: string
  err: Error
}

let folder: string
let file: string
let errors: LoggedError[]
let authorId: number
let projectId: number

const open = async (threadScripts?: ThreadScripts): Promise<Database> => {
  const error = (details: object, message: string) => {
    errors.push({ message, err: (details as { err: Error }).err })
  }
  const logger = { error, warn: () => {} }
  const db = await openDatabase({ file, durability: 'process', logger, threadScripts })
  await db.migrate()
  authorId = (await buildUser(db)).id
  projectId = (await buildProject(db, await buildNamespace(db))).id
  return db
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stithy-merges-'))
  file = join(folder, 'test.db')
  errors = []
})
afterEach(() => rm(folder, { recursive: true }))

function put(q: Queries, id: number, description: string): Promise<void> {
  return putDescribedIssue(q, { id, projectId, authorId, description })
}

/** One transaction for each id, from `first` to `last`, by some writers in turn. */
async function write(db: Database, first: number, last: number, characters = 100): Promise<void> {
  let next = first
  async function writer(): Promise<void> {
    for (let id = next++; id <= last; id = next++) {
      const words = Array.from({ length: characters / 8 }, (_, word) => hash(id * 1009 + word))
      await db.transaction((tx) => put(tx, id, `number${id} ${words.join(' ')}`))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(Array.from({ length: 16 }, writer))
}

/** A word of seven letters and digits. */
const hash = (seed: number) => (Math.imul(seed, 2_654_435_761) >>> 0).toString(36).padStart(7, 'q')

/** The segments of the titles and descriptions of issues. */
function segments(): number {
  const connection = new Sqlite(file)
  try {
    return countSegments(connection)('issueTexts')
  } finally {
    connection.close()
  }
}

describe('countSegments', () => {
  it('counts one for each statement that wrote the table, and fewer once they are merged', () => {
    const connection = new Sqlite(':memory:')
    connection.exec(`create virtual table "issueTexts" using fts5(
      "title", "description", content='', contentless_delete=1, tokenize='trigram')`)
    connection.exec(`insert into "issueTexts" ("issueTexts", rank) values ('automerge', 0)`)
    connection.exec(`insert into "issueTexts" ("issueTexts", rank) values ('crisismerge', 250)`)
    const count = countSegments(connection)
    expect(count('issueTexts')).toBe(0)
    const insert = connection.prepare('insert into "issueTexts" (rowid, "title") values (?, ?)')
    for (let id = 1; id <= 200; id += 1) insert.run(id, `some text ${id}`)
    expect(count('issueTexts')).toBe(200)
    expect(mergeFullTextTable(connection, 'issueTexts')).toBe(true)
    expect(count('issueTexts')).toBe(1)
    expect(mergeFullTextTable(connection, 'issueTexts')).toBe(false)
    connection.close()
  })
})

describe('full-text tables', () => {
  it('have few segments after steady writes, and find every text', async () => {
    const db = await open()
    await write(db, 1, 600)
    await expect.poll(segments).toBeLessThan(32)
    expect(await findIssueTexts(db, 'number600')).toEqual([600])
    expect(await findIssueTexts(db, 'number1')).toHaveLength(111)
    await db.close()
    expect(errors).toEqual([])
  })

  it('have few segments in memory as well', async () => {
    file = ':memory:'
    const db = await open()
    await write(db, 1, 100)
    const [row] = await db.all(
      'test.segments',
      {},
      () =>
        sql<{ segments: number }>`select count(distinct "segid") as segments from "issueTexts_idx"`,
    )
    expect(row?.segments).toBeLessThan(32)
    expect(await findIssueTexts(db, 'number100')).toEqual([100])
    await db.close()
  })

  it('are merged while large texts are written', async () => {
    const db = await open()
    await write(db, 1, 320, 6000)
    // At 250, a write would have merged them.
    expect(segments()).toBeLessThan(200)
    await expect.poll(segments).toBeLessThan(32)
    expect(await findIssueTexts(db, 'number320')).toEqual([320])
    await db.close()
  })

  it('are not merged by writes alone, which continue when the thread fails', async () => {
    const missing = join(folder, 'missing.js')
    const db = await open(scriptForAll(missing))
    await write(db, 1, 100)
    await db.close()
    expect(segments()).toBeGreaterThanOrEqual(100)
    expect(new Set(errors.map(({ message }) => message))).toEqual(
      new Set(['Full-text tables could not be merged']),
    )
    expect(String(errors[0]?.err)).toContain('missing.js')
  })

  it('are merged after one transaction that wrote much, and after its long texts', async () => {
    const db = await open()
    await db.transaction(async (tx) => {
      for (let id = 1; id <= 60; id += 1)
        await put(tx, id, `number${id} ${'a long text '.repeat(800)}`)
    })
    const waiting = () =>
      db.all('test.waiting', {}, () => sql<object>`select "id" from "unindexedTexts"`)
    await expect.poll(waiting).toEqual([])
    await expect.poll(segments).toBeLessThan(32)
    await db.close()
    expect(errors).toEqual([])
  })

  it('are written further after the thread ended while its next task waited', async () => {
    const script = join(folder, 'ends.mjs')
    writeFileSync(
      script,
      `import { parentPort } from 'node:worker_threads'
       parentPort.on('message', (message) => {
         if (message === 'close') parentPort.close()
         else if (message === 'open') parentPort.postMessage(message)
         else throw new Error('out of memory')
       })`,
    )
    const db = await open(scriptForAll(script))
    await write(db, 1, 15)
    // Both a long text and a merge are due.
    await db.transaction((tx) => put(tx, 16, 'a long text '.repeat(1000)))
    await write(db, 17, 40)
    await db.close()
    const messages = new Set(errors.map(({ message }) => message))
    expect(messages).toContain('A long text could not be indexed')
    expect(messages).toContain('Full-text tables could not be merged')
  })

  it('are merged further after the database was closed meanwhile', async () => {
    let db = await open()
    await write(db, 1, 100, 4000)
    await db.close()
    expect(errors).toEqual([])
    db = await openDatabase({ file })
    await write(db, 101, 116)
    await expect.poll(segments).toBeLessThan(32)
    expect(await findIssueTexts(db, 'number7')).toEqual([7, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79])
    await db.close()
  })
})
