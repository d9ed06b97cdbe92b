import { enqueueJob, listJobSamples, readBacklogs, saveJobSample } from '@stithy/store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { sampleJobs } from './job-samples.ts'
import { allQueues, servedQueues } from './queues.ts'
import type { JobHandler } from './run-job.ts'
import { startWorker, type Worker } from './worker.ts'
import type { WorkerOptions } from './worker-state.ts'

// - `queues`: a map of the names of queues to `backlog` and `latency`, which is in seconds
// - `processes`: `hostname`, `pid`, `tag`, `started_at`, `queues`, `labels`, `concurrency`, `busy`
// - `jobs`: `processed`, `failed`, `enqueued`
// - `backlog_history`: `dead`, and `samples` of the last 24 hours with `recorded_at`, `backlog`, `latency`
// - the first three together; for administrators alone; the same below `/sidekiq`

let server: TestServer
const workers: Worker[] = []
beforeAll(async () => {
  server = await buildTestServer()
})
beforeEach(() => server.runJobs())
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop()
})
afterAll(() => server.close())

const show = async (name: string) => {
  const answer = await callAs(server, 'GET', `/jobqueue/${name}`, server.root.token)
  expect(answer.status).toBe(200)
  return answer.body
}

async function add(
  queue: string,
  { dueMs = 0, kind = 'test', payload = 0 as unknown },
): Promise<void> {
  const now = server.app.now()
  const job = { queue, kind, payload, runAt: now - dueMs }
  await server.app.db.transaction((tx) => enqueueJob(tx, job, now))
}

function start(run: JobHandler['run'], options: Partial<WorkerOptions> = {}): Worker {
  const handlers = [{ kind: 'test', run }]
  const worker = startWorker(server.app, { handlers, ...options })
  workers.push(worker)
  return worker
}

const nothing = { backlog: 0, latency: 0 }

describe('GET /jobqueue/queue_metrics', () => {
  it('shows each queue with its due jobs and the seconds that the first has waited', async () => {
    const none = Object.fromEntries(allQueues.map((queue) => [queue, nothing]))
    expect(await show('queue_metrics')).toEqual({ queues: none })
    await add('default', { dueMs: 7900 })
    await add('default', { dueMs: 100 })
    await add('default', { dueMs: -60_000 })
    await add('other', { dueMs: 0 })
    expect(await show('queue_metrics')).toEqual({
      queues: {
        ...none,
        default: { backlog: 2, latency: 7 },
        other: { backlog: 1, latency: expect.any(Number) },
      },
    })
    await server.app.db.run('test.clear', {}, (db) => db.deleteFrom('jobs'))
  })
})

describe('GET /jobqueue/process_metrics', () => {
  it('shows each worker until it stops, with what it runs', async () => {
    expect(await show('process_metrics')).toEqual({ processes: [] })
    const running = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    await add('default', {})
    const registration = { tag: 'worker', labels: ['large'] } as const
    const queues = ['default', 'webhooks']
    const worker = start(
      async () => {
        running.resolve()
        await done.promise
      },
      { registration, queues, concurrency: 3 },
    )
    await running.promise
    await expect.poll(async () => (await show('process_metrics')).processes).toHaveLength(1)
    const { processes } = await show('process_metrics')
    expect(processes).toEqual([
      {
        hostname: expect.stringMatching(/./),
        pid: process.pid,
        tag: 'worker',
        started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        queues,
        labels: ['large'],
        // Three, and eight that wait for other servers.
        concurrency: 11,
        busy: expect.toSatisfy((busy: number) => busy === 0 || busy === 1),
      },
    ])
    done.resolve()
    await worker.stop()
    expect(await show('process_metrics')).toEqual({ processes: [] })
  })

  it('leaves out workers that were not heard of for 30 seconds', async () => {
    start(async () => {}, { registration: { tag: 'server', labels: [] } })
    await expect.poll(async () => (await show('process_metrics')).processes).toHaveLength(1)
    server.advance(31_000)
    expect(await show('process_metrics')).toEqual({ processes: [] })
  })
})

describe('GET /jobqueue/job_stats', () => {
  it('counts finished and failed attempts, and the jobs that are due', async () => {
    const { jobs: before } = await show('job_stats')
    for (const payload of ['well', 'well', 'ill']) await add('default', { payload })
    const worker = start(async (_app, payload) => {
      if (payload === 'ill') throw new Error('no')
    })
    await worker.idle()
    await worker.stop()
    await add('default', {})
    await add('users', {})
    const { processed, failed } = before
    expect(await show('job_stats')).toEqual({
      jobs: { processed: processed + 3, failed: failed + 1, enqueued: 2 },
    })
  })
})

describe('GET /jobqueue/compound_metrics', () => {
  it('shows the three together', async () => {
    expect(await show('compound_metrics')).toEqual({
      ...(await show('queue_metrics')),
      ...(await show('process_metrics')),
      ...(await show('job_stats')),
    })
  })
})

describe.each(['queue_metrics', 'process_metrics', 'job_stats', 'compound_metrics'])(
  'GET /sidekiq/%s',
  (name) => {
    it('answers as below /jobqueue', async () => {
      const { status, body } = await callAs(server, 'GET', `/sidekiq/${name}`, server.root.token)
      expect([status, body]).toEqual([200, await show(name)])
    })

    it('answers 403 to users and 401 without a token, as below /jobqueue', async () => {
      const { token } = await server.buildUser()
      for (const path of [`/sidekiq/${name}`, `/jobqueue/${name}`]) {
        expect((await callAs(server, 'GET', path, token)).status).toBe(403)
        expect((await callAs(server, 'GET', path)).status).toBe(401)
      }
    })
  },
)

describe('GET /jobqueue/backlog_history', () => {
  const url = '/jobqueue/backlog_history'

  it('shows the samples of the last 24 hours, with waits rounded up to seconds', async () => {
    const { app, root } = server
    const now = Math.floor(app.now() / 60_000)
    const before = await callAs(server, 'GET', url, root.token)
    expect(before.body).toEqual({ dead: 0, samples: [] })
    const samples = [
      [24 * 60, 9],
      [24 * 60 - 1, 4],
      [7, 2],
      [0, 0],
    ] as const
    for (const [ago, backlog] of samples) {
      await saveJobSample(app.db, { minute: now - ago, backlog, latency: backlog * 1400 })
    }
    const { body } = await callAs(server, 'GET', url, root.token)
    const at = (ago: number) => new Date((now - ago) * 60_000).toISOString()
    expect(body.samples).toEqual([
      { recorded_at: at(24 * 60 - 1), backlog: 4, latency: 6 },
      { recorded_at: at(7), backlog: 2, latency: 3 },
      { recorded_at: at(0), backlog: 0, latency: 0 },
    ])
  })

  it('has what is recorded once a minute, for a day', async () => {
    const { app } = server
    server.advance(60_000)
    await sampleJobs(app)
    const queues = await readBacklogs(app.db, app.now())
    const backlog = queues.reduce((sum, queue) => sum + queue.backlog, 0)
    const samples = await listJobSamples(app.db, 0)
    expect(samples.at(-1)).toMatchObject({ minute: Math.floor(app.now() / 60_000), backlog })
    await sampleJobs(app)
    expect(await listJobSamples(app.db, 0)).toEqual(samples)
    server.advance(24 * 60 * 60_000)
    await sampleJobs(app)
    expect(await listJobSamples(app.db, 0)).toHaveLength(1)
  })

  it('answers 403 to users and 401 without a token', async () => {
    const { token } = await server.buildUser()
    expect((await callAs(server, 'GET', url, token)).status).toBe(403)
    expect((await callAs(server, 'GET', url)).status).toBe(401)
  })
})

describe('worker_queues', () => {
  it('are all by default, and must exist', () => {
    expect(servedQueues({ workerQueues: [] })).toEqual(allQueues)
    expect(servedQueues({ workerQueues: ['webhooks'] })).toEqual(['webhooks'])
    expect(() => servedQueues({ workerQueues: ['webhooks', 'nosuch'] })).toThrow(
      'worker_queues has an unknown queue: nosuch. There are default, ',
    )
  })
})
