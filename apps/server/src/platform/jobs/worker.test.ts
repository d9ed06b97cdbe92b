import { enqueueJob } from '@stithy/store'
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
})
