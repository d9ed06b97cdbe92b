import { enqueueJob } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEvents } from '../../testing/clients/event-reader.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

// - Prometheus text, for a token of an administrator as bearer, or the one that is configured
// - 401 or 403 for others; 404 while `prometheus_metrics_enabled` is off
// - process, event loop, requests, jobs, git, database, webhooks, mails; the labels are bounded

const metricsToken = 'a-token-of-prometheus-0123'
let server: TestServer
beforeAll(async () => {
  server = await buildTestServer({ metricsToken })
})
afterAll(() => server.close())

const ask = (bearer?: string) =>
  server.inject('GET', '//metrics', {
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
  })

const scrape = async () => (await ask(metricsToken)).text

/** The value of a series. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

const requests = (method: string, route: string, status: number) =>
  `stithy_http_requests_total{method="${method}",route="${route}",status="${status}"}`

describe('GET /metrics', () => {
  it('shows Prometheus text to administrators and for the configured token', async () => {
    for (const token of [server.root.token, metricsToken]) {
      const { status, headers, text } = await ask(token)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
      for (const name of [
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_p99_seconds',
        'stithy_http_request_duration_seconds',
        'stithy_jobs_backlog',
        'stithy_event_streams',
        'stithy_git_processes',
        'stithy_database_size_bytes',
        'stithy_webhook_deliveries_total',
        'stithy_mails_total',
      ]) {
        expect(text).toContain(`\n# TYPE ${name} `)
      }
    }
  })

  it('answers 401 without a valid token, and 403 to users and tokens of other scopes', async () => {
    const { token } = await server.buildUser()
    const { body } = await server.inject('POST', '/users/1/impersonation_tokens', {
      token: server.root.token,
      body: { name: 'reader', scopes: ['read_user'] },
    })
    const statuses = [undefined, 'wrong', `${metricsToken}x`, token, body.token]
    const answers = await Promise.all(statuses.map((each) => ask(each)))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 403, 403])
    for (const { text } of answers) expect(text).not.toContain('stithy_')
    // It reads the metrics and nothing else.
    const user = await server.inject('GET', '/user', {
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    expect(user.status).toBe(401)
  })

  it('answers 404 to everyone while it is switched off', async () => {
    await setSetting(server, 'prometheus_metrics_enabled', false)
    for (const token of [undefined, 'wrong', server.root.token, metricsToken]) {
      expect((await ask(token)).status).toBe(404)
    }
    await setSetting(server, 'prometheus_metrics_enabled', true)
    expect((await ask(metricsToken)).status).toBe(200)
  })

  it('counts requests by the template of their route, and unknown ones together', async () => {
    const { id } = await server.buildProject()
    const route = '/api/v4/projects/:id'
    const first = await scrape()
    for (const path of [`/projects/${id}`, `/projects/${id}`, '/projects/999999']) {
      await server.inject('GET', path, { token: server.root.token })
    }
    for (const path of ['/nosuch-one', '/nosuch-two']) await server.inject('GET', path)
    const text = await scrape()
    const more = (series: string) => (sampleOf(text, series) ?? 0) - (sampleOf(first, series) ?? 0)
    expect(more(requests('GET', route, 200))).toBe(2)
    expect(more(requests('GET', route, 404))).toBe(1)
    const durations = `stithy_http_request_duration_seconds_count{method="GET",route="${route}"}`
    expect(more(durations)).toBe(3)
    expect(text).not.toContain('nosuch')
    expect(text).not.toContain(`projects/${id}`)
    const series = (each: string) => each.split('\n').filter((line) => line.includes('route='))
    // Pages look for a project or group of this name: they count as their calls, whatever the name.
    await server.inject('GET', '//nothing/at/all')
    const before = series(await scrape()).length
    for (let each = 0; each < 50; each += 1) {
      await server.inject('GET', `/projects/x${each}`, { token: server.root.token })
      await server.inject('GET', `//nothing/at/all/${each}`)
    }
    await server.inject('REPORT', '/nosuch')
    expect(series(await scrape()).length - before).toBeLessThan(20)
  })

  it('shows what jobs wait, ran and failed', async () => {
    const before = await scrape()
    const now = server.app.now()
    const job = { queue: 'default', kind: 'nosuch', payload: null, runAt: now - 3000 }
    await server.app.db.transaction((tx) => enqueueJob(tx, job, now))
    const waiting = await scrape()
    expect(sampleOf(waiting, 'stithy_jobs_backlog{queue="default"}')).toBe(1)
    expect(
      sampleOf(waiting, 'stithy_jobs_latency_seconds{queue="default"}'),
    ).toBeGreaterThanOrEqual(3)
    await server.runJobs()
    const after = await scrape()
    expect(sampleOf(after, 'stithy_jobs_backlog{queue="default"}')).toBe(0)
    for (const name of ['stithy_jobs_processed_total', 'stithy_jobs_failed_total']) {
      expect((sampleOf(after, name) ?? 0) - (sampleOf(before, name) ?? 0)).toBe(1)
    }
  })

  it('shows what servers and workers count together', async () => {
    server.app.counters.add('webhooks.failed')
    server.app.counters.add('webhooks.failed')
    server.app.counters.add('mails.sent')
    await server.app.counters.flush()
    const text = await scrape()
    expect(sampleOf(text, 'stithy_webhook_deliveries_total{outcome="failed"}')).toBe(2)
    expect(sampleOf(text, 'stithy_webhook_deliveries_total{outcome="answered"}')).toBe(0)
    expect(sampleOf(text, 'stithy_mails_total{outcome="sent"}')).toBe(1)
  })

  it('shows how many event streams are open', async () => {
    const base = await server.url()
    const { id } = await server.buildProject()
    const headers = { 'private-token': server.root.token }
    await server.inject('POST', `/projects/${id}/issues`, {
      token: server.root.token,
      body: { title: 'Open' },
    })
    expect(sampleOf(await scrape(), 'stithy_event_streams')).toBe(0)
    const stream = await openEvents(`${base}/api/v4/projects/${id}/issues/1/event_stream`, headers)
    expect(sampleOf(await scrape(), 'stithy_event_streams')).toBe(1)
    stream.close()
  })

  it('shows git processes and the size of the database', async () => {
    const text = await scrape()
    expect(sampleOf(text, 'stithy_git_processes_started_total')).toBe(server.app.git.spawnCount)
    expect(sampleOf(text, 'stithy_database_size_bytes')).toBeGreaterThan(100_000)
    const open = sampleOf(text, 'stithy_database_connections{state="open"}')
    if (server.app.db.dialect === 'postgres') expect(open).toBeGreaterThan(0)
    else expect(open).toBeUndefined()
  })
})
