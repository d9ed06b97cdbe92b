import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildUser } from '../../testing/index.ts'
import { openDatabase } from '../database.ts'
import type { Database } from '../queries/queries.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stithy-power-'))
  file = join(folder, 'test.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const headerBytes = 32
const frameBytes = 24 + 4096

/** The generation of a write-ahead log, and how much of it belongs to this generation. */
interface LogState {
  salts: string
  bytes: number
}

/** @see https://sqlite.org/fileformat2.html#the_write_ahead_log */
function readLogState(): LogState {
  const log = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0)
  const salts = log.toString('hex', 16, 24)
  let bytes = Math.min(headerBytes, log.length)
  while (bytes + frameBytes <= log.length && log.toString('hex', bytes + 8, bytes + 16) === salts) {
    bytes += frameBytes
  }
  return { salts, bytes }
}

/** A disk that keeps of the log what was flushed, as a power failure would leave it. */
class Disk {
  flushed: LogState = { salts: '', bytes: 0 }
  /** Turns of the event loop that a flush takes. */
  delay = 0

  syncFile = async (): Promise<void> => {
    const state = readLogState()
    for (let index = 0; index < this.delay; index += 1) await turn()
    this.flushed = state
  }

  /** A checkpoint flushes the log before it copies pages into the database file. */
  checkpoint(): void {
    const connection = new Sqlite(file)
    connection.pragma('wal_checkpoint(restart)')
    connection.close()
    this.flushed = readLogState()
  }

  /** The usernames that a start after a power failure would find. */
  usernamesAfterPowerLoss(): Set<string> {
    const copy = join(folder, 'copy.db')
    for (const end of ['-wal', '-shm']) rmSync(`${copy}${end}`, { force: true })
    writeFileSync(copy, readFileSync(file))
    const { salts, bytes } = readLogState()
    const kept = salts === this.flushed.salts ? Math.min(bytes, this.flushed.bytes) : 0
    if (kept > 0) writeFileSync(`${copy}-wal`, readFileSync(`${file}-wal`).subarray(0, kept))
    const connection = new Sqlite(copy)
    try {
      expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
      return new Set(connection.prepare('select username from users').pluck().all() as string[])
    } finally {
      connection.close()
    }
  }
}

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ step: fc.constant('write' as const), n: fc.nat(4) }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('wait' as const), n: fc.nat(6) }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('slow' as const), n: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('checkpoint' as const), n: fc.nat(0) }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('failure' as const), n: fc.nat(0) }) },
  ),
  { minLength: 4, maxLength: 24 },
)

describe('a power failure', () => {
  it('loses no transaction that was acknowledged, whenever it happens', async () => {
    const disk = new Disk()
    const db: Database = await openDatabase({ file, syncFile: disk.syncFile })
    await db.migrate()
    const acknowledged: string[] = []
    let failures = 0
    let count = 0
    const write = async () => {
      count += 1
      const username = `user-${count}`
      await db.transaction((tx) => buildUser(tx, { username, usernameLower: username }))
      acknowledged.push(username)
    }
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const writes: Promise<void>[] = []
        for (const { step, n } of sequence) {
          if (step === 'write') for (let index = 0; index <= n; index += 1) writes.push(write())
          if (step === 'wait') for (let index = 0; index <= n; index += 1) await turn()
          if (step === 'slow') disk.delay = n
          if (step === 'checkpoint') disk.checkpoint()
          if (step !== 'failure') continue
          failures += 1
          const found = disk.usernamesAfterPowerLoss()
          expect(acknowledged.filter((name) => !found.has(name))).toEqual([])
        }
        await Promise.all(writes)
      }),
      { numRuns: 20 },
    )
    expect(failures).toBeGreaterThan(5)
    await db.close()
  })

  it('is not waited for with the durability of a process', async () => {
    let flushes = 0
    const syncFile = async () => {
      flushes += 1
    }
    const db = await openDatabase({ file, syncFile, durability: 'process' })
    await db.migrate()
    await db.transaction((tx) => buildUser(tx))
    expect(flushes).toBe(0)
    await db.close()
  })
})

describe('a single statement', () => {
  it('waits until it is on disk, except with asyncCommit', async () => {
    let flushes = 0
    const syncFile = async () => {
      flushes += 1
    }
    const db = await openDatabase({ file, syncFile })
    await db.migrate()
    flushes = 0
    await buildUser(db.asyncCommit)
    expect(flushes).toBe(0)
    await buildUser(db)
    expect(flushes).toBe(1)
    await db.close()
  })
})

describe('concurrent transactions', () => {
  it('share a flush', async () => {
    let flushes = 0
    const syncFile = async () => {
      flushes += 1
      for (let index = 0; index < 100; index += 1) await turn()
    }
    const db = await openDatabase({ file, syncFile })
    await db.migrate()
    flushes = 0
    await Promise.all(Array.from({ length: 50 }, () => db.transaction((tx) => buildUser(tx))))
    expect(flushes).toBeGreaterThan(0)
    expect(flushes).toBeLessThan(5)
    await db.close()
  })

  it('are flushed before the database is closed', async () => {
    let open = 0
    const syncFile = async () => {
      open += 1
      for (let index = 0; index < 20; index += 1) await turn()
      open -= 1
    }
    const db = await openDatabase({ file, syncFile })
    await db.migrate()
    const writing = db.transaction((tx) => buildUser(tx))
    while (open === 0) await turn()
    await db.close()
    expect(open).toBe(0)
    await writing
  })

  it('fail when the disk does, and none that follows is refused', async () => {
    const failures = [new Error('EIO: i/o error')]
    const syncFile = async () => {
      const error = failures.pop()
      if (error !== undefined) throw error
    }
    const db = await openDatabase({ file, durability: 'disk', syncFile })
    const [failed, next] = await Promise.allSettled([db.migrate(), db.migrate()])
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    expect(next.status).toBe('fulfilled')
    await db.close()
  })
})
