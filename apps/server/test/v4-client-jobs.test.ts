import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorker } from '../src/platform/jobs/worker.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

it('shows the job queue to the unmodified @gitbeaker/rest', async () => {
  const api = new Gitlab({ host: await server.url(), token: server.root.token })
  const registration = { tag: 'server', labels: [] } as const
  const worker = startWorker(server.app, { handlers: [], registration })
  await expect
    .poll(async () => (await api.SidekiqMetrics.processMetrics()).processes)
    .toMatchObject([{ pid: process.pid, queues: expect.arrayContaining(['webhooks']) }])
  expect((await api.SidekiqMetrics.queueMetrics()).queues).toMatchObject({
    webhooks: { backlog: 0, latency: 0 },
  })
  expect((await api.SidekiqMetrics.jobStats()).jobs).toMatchObject({ failed: 0, enqueued: 0 })
  expect(Object.keys(await api.SidekiqMetrics.compoundMetrics()).toSorted()).toEqual([
    'jobs',
    'processes',
    'queues',
  ])
  await worker.stop()
})
