import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import type { RecurringJob } from './recurring-jobs.ts'
import { startWorker } from './worker.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
  // At noon, so that midnight is far, whenever the tests run.
  server.advance(day - (server.app.now() % day) + 12 * hour)
})
afterAll(() => server.close())

/** Starts workers that run due jobs, and schedule others; returns how many of the kind ran. */
async function work(recurring: RecurringJob, workers = 1): Promise<number> {
  let ran = 0
  const handler = {
    kind: recurring.kind,
    run: async () => {
      ran += 1
    },
  }
  const started = Array.from({ length: workers }, () =>
    startWorker(server.app, { handlers: [handler], recurring: [recurring] }),
  )
  for (const worker of started) await worker.idle()
  for (const worker of started) await worker.stop()
  return ran
}

/** When the waiting jobs of a kind are due, in hours from the last midnight of the clock. */
async function plannedHours(kind: string): Promise<number[]> {
  const rows = await server.app.db.all('test.planned', { kind }, (db, $) =>
    db
      .selectFrom('jobs')
      .where('kind', '=', $('kind'))
      .where('state', '=', 'queued')
      .orderBy('runAt')
      .select('runAt'),
  )
  const midnight = server.app.now() - (server.app.now() % day)
  return rows.map(({ runAt }) => (runAt - midnight) / hour)
}

it('a job with an offset runs once in each period, at that time', async () => {
  const daily = { kind: 'test.daily', everyMs: day, offsetMs: hour }
  expect(await work(daily)).toBe(0)
  expect(await plannedHours(daily.kind)).toEqual([25])
  expect(await work(daily)).toBe(0)
  expect(await plannedHours(daily.kind)).toEqual([25])
  server.advance(13 * hour)
  expect(await work(daily)).toBe(1)
  expect(await plannedHours(daily.kind)).toEqual([25])
  server.advance(hour)
  expect(await work(daily)).toBe(0)
})

it('a job with an offset that is late runs once, and at the next time', async () => {
  const daily = { kind: 'test.late', everyMs: day, offsetMs: hour }
  await work(daily)
  server.advance(4 * day - 3 * hour)
  expect(await work(daily)).toBe(1)
  const [next = 0] = await plannedHours(daily.kind)
  server.advance(next * hour - (server.app.now() % day))
  expect(await work(daily)).toBe(1)
})

it('a job without an offset runs a period after the last one', async () => {
  const hourly = { kind: 'test.hourly', everyMs: hour }
  expect(await work(hourly)).toBe(0)
  server.advance(hour - minute)
  expect(await work(hourly)).toBe(0)
  server.advance(2 * minute)
  expect(await work(hourly)).toBe(1)
})
