import { currentRequestId, enqueueJob, withRequestId } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import type { JobHandler } from './run-job.ts'
import { startWorker } from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(() => server.runJobs())

/** Enqueues jobs of the kind `test`, which became due the given milliseconds ago. */
async function add(queue: string, names: readonly string[], dueMs: number): Promise<void> {
  const now = server.app.now()
  await server.app.db.transaction(async (tx) => {
    for (const name of names) {
      await enqueueJob(tx, { queue, kind: 'test', payload: name, runAt: now - dueMs }, now)
    }
  })
}

const many = (name: string) => Array.from({ length: 6 }, (_, at) => `${name} ${at}`)

/** Runs all due jobs, so many at a time; returns their names in the order of their starts. */
async function runAll(concurrency: number): Promise<unknown[]> {
  const started: unknown[] = []
  const handler: JobHandler = {
    kind: 'test',
    run: async (_app, payload) => {
      started.push(payload)
    },
  }
  const worker = startWorker(server.app, { handlers: [handler], concurrency })
  await worker.idle()
  await worker.stop()
  return started
}

describe('startWorker', () => {
  it('lets the queues take turns, however many jobs wait in one', async () => {
    await add('merge-requests', many('refresh'), 3000)
    await add('pushes', many('push'), 2000)
    await add('default', ['other'], 1000)
    const started = await runAll(1)
    expect(started.slice(0, 5)).toEqual(['refresh 0', 'push 0', 'other', 'refresh 1', 'push 1'])
    expect(started).toHaveLength(13)
  })

  it('shares its free slots among the due queues', async () => {
    await add('merge-requests', many('refresh'), 2000)
    await add('default', ['other'], 1000)
    const started = await runAll(4)
    expect(started.slice(0, 3).toSorted()).toEqual(['other', 'refresh 0', 'refresh 1'])
    expect(started).toHaveLength(7)
  })

  it('runs slow jobs last, and fills its slots', async () => {
    await add('housekeeping', many('slow'), 3000)
    await add('pushes', many('push'), 2000)
    const started = await runAll(2)
    expect(started.slice(0, 2)).toEqual(['push 0', 'push 1'])
    expect(started).toHaveLength(12)
  })

  it('repeats an interrupted job without a failure and without a line in the log', async () => {
    await add('default', ['long'], 1000)
    const running = Promise.withResolvers<void>()
    const handler: JobHandler = {
      kind: 'test',
      run: (_app, _payload, signal) => {
        running.resolve()
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      },
    }
    const warn = vi.spyOn(server.app.log, 'warn')
    const worker = startWorker(server.app, { handlers: [handler] })
    await running.promise
    await worker.stop()
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
    expect(await runAll(1)).toEqual(['long'])
  })

  it('lets the queues take turns with short jobs that it claims in batches', async () => {
    const list = (name: string) => Array.from({ length: 200 }, (_, at) => `${name} ${at}`)
    await add('merge-requests', list('refresh'), 3000)
    await add('pushes', list('push'), 2000)
    const started = (await runAll(2)).map((name) => String(name).split(' ')[0])
    expect(started).toHaveLength(400)
    for (let at = 0; at < 400; at += 40) {
      const refreshed = started.slice(at, at + 40).filter((name) => name === 'refresh')
      expect(refreshed.length, `from ${at}`).toBeGreaterThan(10)
      expect(refreshed.length, `from ${at}`).toBeLessThan(30)
    }
  })

  it('claims and finishes short jobs together', async () => {
    const names = Array.from({ length: 500 }, (_, at) => at.toString())
    await add('default', names, 1000)
    const before = server.app.db.stats.queries
    expect(await runAll(2)).toEqual(names)
    expect(server.app.db.stats.queries - before).toBeLessThan(200)
  })

  it('leaves the event loop to others while it runs many short jobs', async () => {
    await add(
      'default',
      Array.from({ length: 200 }, (_, at) => at.toString()),
      1000,
    )
    const handler: JobHandler = {
      kind: 'test',
      run: async (app) => {
        await app.db.first('test.one', {}, (db) => db.selectFrom('users').select('id'))
        const until = performance.now() + 1
        while (performance.now() < until);
      },
    }
    let turns = 0
    const count = () => {
      turns += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const worker = startWorker(server.app, { handlers: [handler] })
    await worker.idle()
    clearImmediate(next)
    await worker.stop()
    // Every 5 ms of 200.
    expect(turns).toBeGreaterThan(20)
  })

  it('gives claimed jobs back to other workers when one before them takes long', async () => {
    const fast = Array.from({ length: 100 }, (_, at) => at.toString())
    await add('default', [...fast, 'long'], 2000)
    await add('default', fast, 1000)
    const { promise: end, resolve: finish } = Promise.withResolvers<void>()
    const busy = Promise.withResolvers<void>()
    const slowly: JobHandler = {
      kind: 'test',
      run: async (_app, payload) => {
        if (payload !== 'long') return
        busy.resolve()
        await end
      },
    }
    const options = { handlers: [slowly], concurrency: 1, pollMs: 50 }
    const worker = startWorker(server.app, options)
    await busy.promise
    await expect.poll(() => countRunning(), { timeout: 5000 }).toBe(1)
    const other = await runAll(1)
    expect(other.length).toBeGreaterThan(0)
    finish()
    await worker.idle()
    await worker.stop()
    expect(await countRunning()).toBe(0)
  })

  it('aborts a job that another worker took over, and records nothing of it', async () => {
    await add('default', ['stolen'], 1000)
    const aborted = Promise.withResolvers<unknown>()
    const handler: JobHandler = {
      kind: 'test',
      run: async (app, _payload, signal) => {
        await app.db.run('test.steal', {}, (db) =>
          db.updateTable('jobs').set({ leaseOwner: 'other' }).where('state', '=', 'running'),
        )
        signal.addEventListener('abort', () => aborted.resolve(signal.reason))
        await aborted.promise
      },
    }
    const worker = startWorker(server.app, { handlers: [handler], leaseMs: 150 })
    expect(await aborted.promise).toMatchObject({ name: 'LeaseLostError' })
    await worker.idle()
    await worker.stop()
    expect(await countRunning()).toBe(1)
    await server.app.db.run('test.clear', {}, (db) =>
      db.deleteFrom('jobs').where('leaseOwner', '=', 'other'),
    )
  })

  it('runs a job for the request that enqueued it, and those that it enqueues', async () => {
    await withRequestId('first request', () => add('default', ['outer'], 1000))
    const seen: unknown[] = []
    const handler: JobHandler = {
      kind: 'test',
      run: async (_app, payload) => {
        seen.push([payload, currentRequestId()])
        if (payload === 'outer') await add('default', ['inner'], 0)
      },
    }
    const worker = withRequestId('another request', () =>
      startWorker(server.app, { handlers: [handler] }),
    )
    await worker.idle()
    await add('default', ['alone'], 0)
    await withRequestId('another request', () => worker.idle())
    await worker.stop()
    expect(seen).toEqual([
      ['outer', 'first request'],
      ['inner', 'first request'],
      ['alone', null],
    ])
  })

  it('names the request of a job that fails in the log', async () => {
    await withRequestId('the request', () => add('default', ['ill'], 1000))
    const warn = vi.spyOn(server.app.log, 'warn')
    const run = () => Promise.reject(new Error('no'))
    const worker = startWorker(server.app, { handlers: [{ kind: 'test', run }] })
    await worker.idle()
    await worker.stop()
    const line = expect.objectContaining({ kind: 'test', request_id: 'the request' })
    expect(warn).toHaveBeenCalledWith(line, 'a job failed')
    warn.mockRestore()
  })
})

async function countRunning(): Promise<number> {
  const rows = await server.app.db.all('test.running', {}, (db) =>
    db.selectFrom('jobs').where('state', '=', 'running').select('id'),
  )
  return rows.length
}
