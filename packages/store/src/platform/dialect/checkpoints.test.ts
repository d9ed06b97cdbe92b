import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scriptForAll } from '../../testing/thread-scripts.ts'
import { openDatabase } from '../database.ts'
import type { Database } from '../queries/queries.ts'
import { createCheckpoints } from './checkpoints.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stithy-checkpoint-'))
  file = join(folder, 'test.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const mebibyte = 1024 * 1024

async function openWithTable(options: object = {}): Promise<Database> {
  const db = await openDatabase({ file, durability: 'process', ...options })
  await db.migrate()
  return db
}

/** Writes `mebibytes` in as many transactions, four at a time; returns the maximum log size. */
async function writeMuch(db: Database, mebibytes: number): Promise<number> {
  let max = 0
  let left = mebibytes
  async function writer(key: string): Promise<void> {
    while (left > 0) {
      left -= 1
      // SQLite doesn't write pages that stay the same.
      const value = `${left} `.repeat(mebibyte / 4)
      await db.transaction((tx) =>
        tx.run('test.write', { key, value }, (kysely, $) =>
          kysely
            .insertInto('settings')
            .values({ key: $('key'), value: $('value'), updatedAt: 0 })
            .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: $('value') })),
        ),
      )
      max = Math.max(max, statSync(`${file}-wal`).size)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => writer(`test_${key}`)))
  return max
}

/** Checkpoints of a log that is large, by a thread that only records what it is asked. */
function createWithFakeThread() {
  const record = join(folder, 'asked')
  const script = join(folder, 'worker.mjs')
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs'
       import { parentPort } from 'node:worker_threads'
       let first = 'started '
       parentPort.on('message', (message) => {
         appendFileSync(${JSON.stringify(record)}, first + message + ' ')
         first = ''
         if (message === 'close') parentPort.close()
         else parentPort.postMessage({ frames: 0 })
       })`,
  )
  writeFileSync(`${file}-wal`, Buffer.alloc(16 * mebibyte))
  const checkpoints = createCheckpoints({
    file,
    scripts: scriptForAll(script),
    exclusively: (action) => action(),
    logger: { error: () => {}, warn: () => {} },
    idleMs: 1,
  })
  return { checkpoints, asked: () => readFileSync(record, 'utf8') }
}

describe('checkpoints', () => {
  it('bound the write-ahead log under steady load, and keep every write', async () => {
    const db = await openWithTable()
    const max = await writeMuch(db, 250)
    expect(max).toBeLessThan(64 * mebibyte)
    await db.close()
    const connection = new Sqlite(file)
    const values = connection
      .prepare(`select value from settings where key like 'test_%'`)
      .pluck()
      .all() as string[]
    expect(values).toHaveLength(4)
    expect(values.map((value) => value.slice(0, 2))).toContain('0 ')
    connection.close()
  })

  it('log a failure, and writes continue', async () => {
    const errors: object[] = []
    const logger = { error: (details: object) => void errors.push(details), warn: () => {} }
    const missing = join(folder, 'missing.js')
    const threadScripts = { checkpoint: missing, read: missing }
    const db = await openWithTable({ logger, threadScripts })
    await writeMuch(db, 100)
    await db.close()
    expect(errors.length).toBeGreaterThan(0)
    expect(String((errors[0] as { err: Error }).err)).toContain('missing.js')
  })

  it('end their thread when none is due, and start another one for the next', async () => {
    const { checkpoints, asked } = createWithFakeThread()
    const once = 'started passive close '
    for (const expected of [once, once + once]) {
      for (let commit = 0; commit < 32; commit += 1) checkpoints.committed()
      await vi.waitFor(() => expect(asked()).toBe(expected), 60_000)
    }
    await checkpoints.close()
  })

  it('are made after one large commit', async () => {
    const { checkpoints, asked } = createWithFakeThread()
    checkpoints.committed()
    checkpoints.committed(true)
    await vi.waitFor(() => expect(asked()).toBe('started passive close '), 60_000)
    await checkpoints.close()
  })
})
