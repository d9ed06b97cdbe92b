import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildUser } from '../../testing/index.ts'
import { scriptForAll } from '../../testing/thread-scripts.ts'
import { openDatabase } from '../database.ts'
import { StoreError } from '../errors.ts'
import { type Database, inBackground, type Queries } from '../queries/queries.ts'
import type { Shape } from '../queries/shape-cache.ts'
import { createReadThreads, type ReadThreads, type ReadThreadsOptions } from './read-threads.ts'

let folder: string
let file: string
let problems: object[]
let threads: ReadThreads | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stithy-threads-'))
  file = join(folder, 'test.db')
  problems = []
  new Sqlite(file).exec('create table things (id integer); insert into things values (7)').close()
})

afterEach(async () => {
  await threads?.close()
  threads = undefined
  rmSync(folder, { recursive: true })
})

function open(options: Partial<ReadThreadsOptions> = {}): ReadThreads {
  const logger = { error: (details: object) => void problems.push(details), warn: () => {} }
  threads = createReadThreads({ file, logger, ...options })
  return threads
}

function shapeOf(sql: string, threadMs?: number): Shape<unknown> {
  const shape = { name: 'test', sql, writes: false, parameters: [], prepared: [] }
  return threadMs === undefined ? shape : { ...shape, threadMs }
}

const quick = shapeOf('select id from things where id = +?')

/** Takes some tenths of a second. */
const slowSql = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000)
  select count(*) as total from n`

/** A worker of the test, which gets each request as `request`; `end` ends the thread. */
function workerOf(body: string): ReadThreadsOptions['scripts'] {
  const script = join(folder, 'worker.mjs')
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from 'node:fs'
     import { parentPort } from 'node:worker_threads'
     const mark = ${JSON.stringify(join(folder, 'mark'))}
     const answer = () => parentPort.postMessage({ rows: [{ id: 1 }], ms: 0 })
     parentPort.on('message', (request) => { ${body} })`,
  )
  return scriptForAll(script)
}

describe('read threads', () => {
  it('return the rows, and bind values', async () => {
    expect(await open().read(quick, [7])).toEqual([{ id: 7 }])
    expect(await threads?.read(quick, [8])).toEqual([])
  })

  it('throw what the main thread would throw', async () => {
    const failing = open().read(shapeOf('select x from nothing'), [])
    await expect(failing).rejects.toThrow(Sqlite.SqliteError)
    await expect(failing).rejects.toMatchObject({ code: 'SQLITE_ERROR' })
    expect(await threads?.read(quick, [7])).toHaveLength(1)
    expect(problems).toEqual([])
  })

  it('run no more slow shapes than leave a thread for quick ones', async () => {
    // Slow ones end after the quick one.
    const scripts = workerOf(
      `if (request.sql !== 'slow') return answer()
       const timer = setInterval(() => { if (existsSync(mark)) { clearInterval(timer); answer() } }, 1)`,
    )
    const { read } = open({ scripts })
    const slow = Array.from({ length: 8 }, () => read(shapeOf('slow', 1000), []))
    expect(await read(quick, [7])).toEqual([{ id: 1 }])
    writeFileSync(join(folder, 'mark'), '')
    expect(await Promise.all(slow)).toHaveLength(8)
  })

  it('treat a shape as slow once it was', async () => {
    const shape = shapeOf(slowSql)
    await open().read(shape, [])
    expect(shape.threadMs).toBeGreaterThan(1)
  })

  it('run a select again when its thread ends', async () => {
    const scripts = workerOf(
      `if (existsSync(mark)) answer(); else { writeFileSync(mark, ''); process.exit(1) }`,
    )
    expect(await open({ scripts }).read(quick, [7])).toEqual([{ id: 1 }])
    expect(problems).toHaveLength(1)
  })

  it('fail when the thread ends again, and go on', async () => {
    const scripts = workerOf(`if (request.values[0] === 1) answer(); else process.exit(1)`)
    const { read } = open({ scripts })
    await expect(read(quick, [7])).rejects.toMatchObject({ code: 'unavailable' })
    expect(await read(quick, [1])).toEqual([{ id: 1 }])
    expect(problems).toHaveLength(2)
  })

  it('fail when they cannot start', async () => {
    const missing = join(folder, 'missing.mjs')
    const { read } = open({
      scripts: scriptForAll(missing),
    })
    await expect(read(quick, [7])).rejects.toThrow(StoreError)
    expect(String(problems.map((problem) => (problem as { err: Error }).err))).toContain('missing')
  })

  it('end when nothing is to be read, and start again', async () => {
    const scripts = workerOf(
      `if (request === 'close') { writeFileSync(mark, ''); parentPort.close() } else answer()`,
    )
    const { read } = open({ scripts, idleMs: 1 })
    await read(quick, [7])
    await expect.poll(() => existsSync(join(folder, 'mark'))).toBe(true)
    expect(await read(quick, [7])).toEqual([{ id: 1 }])
    expect(problems).toEqual([])
  }, 120_000)

  it.runIf(process.platform === 'linux')('keep the lower priority of their process', () => {
    const module = join(import.meta.dirname, 'read-threads.ts')
    const script = `
      import { readdirSync, readFileSync } from 'node:fs'
      import { createReadThreads } from ${JSON.stringify(module)}
      const logger = { error: console.error, warn: console.error }
      const threads = createReadThreads({ file: ${JSON.stringify(file)}, logger })
      await threads.read(${JSON.stringify(quick)}, [7])
      const stats = readdirSync('/proc/self/task').map((id) =>
        readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' '))
      console.log(Math.min(...stats.map((fields) => Number(fields[16]))))
      await threads.close()`
    const args = ['-n', '10', process.execPath, '--conditions=@stithy/source']
    const output = execFileSync('nice', [...args, '--input-type=module', '-e', script])
    expect(Number(output)).toBeGreaterThanOrEqual(10)
  })

  it('reject what waits, runs and comes when they are closed', async () => {
    const { read, close } = open()
    const reads = Array.from({ length: 12 }, () => read(shapeOf(slowSql, 1000), []))
    const outcomes = Promise.allSettled(reads)
    await close()
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'closed' } })
    }
    await expect(read(quick, [7])).rejects.toMatchObject({ code: 'closed' })
    expect(problems).toEqual([])
  })
})

describe('background queries', () => {
  let db: Database

  beforeEach(async () => {
    rmSync(file)
    db = await openDatabase({ file, durability: 'process' })
    await db.migrate()
  })

  afterEach(() => db.close())

  async function countUsers(q: Queries): Promise<number> {
    const row = await q.first('test.count', {}, (kysely) =>
      kysely.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('total')),
    )
    return row?.total ?? 0
  }

  it('see what was committed before, also within a running checkpoint', async () => {
    for (let users = await countUsers(db); users < 40; users += 1) {
      expect(await countUsers(inBackground(db))).toBe(users)
      await db.transaction((tx) => buildUser(tx))
    }
  })

  it('leave others their turn', async () => {
    const order: string[] = []
    const slow = inBackground(db)
      .first('test.slow', {}, (kysely) =>
        kysely
          .withRecursive('n(i)', (eb) =>
            eb
              .selectNoFrom((e) => e.lit(1).as('i'))
              .unionAll(
                eb
                  .selectFrom('n')
                  .where('i', '<', 3_000_000)
                  .select((e) => e('i', '+', 1).as('i')),
              ),
          )
          .selectFrom('n')
          .select((eb) => eb.fn.countAll<number>().as('total')),
      )
      .then((row) => order.push(`slow ${row?.total}`))
    for (let round = 0; round < 5; round += 1) {
      await countUsers(db)
      await new Promise((resolve) => setImmediate(resolve))
    }
    order.push('others')
    await slow
    expect(order).toEqual(['others', 'slow 3000000'])
  })

  it('are the transaction itself inside one', async () => {
    await db.transaction(async (tx) => {
      const before = await countUsers(tx)
      await buildUser(tx)
      expect(await countUsers(inBackground(tx))).toBe(before + 1)
    })
  })
})
