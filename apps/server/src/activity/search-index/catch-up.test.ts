/**
 * What the index lacks is looked for at once where it was made anew or its settings changed, also while
 * the daily job that does so waits for tomorrow.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scheduleRecurring } from '../../platform/jobs/recurring-jobs.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { readIndexStatus } from './index-status.ts'
import { catchUpJob, enqueueCatchUp } from './search-index.jobs.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
  const { stop } = scheduleRecurring(server.app, [
    { kind: catchUpJob.kind, everyMs: 24 * 60 * 60_000 },
  ])
  await stop()
})
afterAll(() => server.close())

const indexed = async () => (await readIndexStatus(server.app)).indexed

describe('the job that finds what the index lacks', () => {
  it('runs at once, though the daily one waits', async () => {
    await setSetting(server, 'searchengine_indexing', false)
    await server.buildProject({ initialize_with_readme: true })
    await server.runJobs()
    expect(await indexed()).toBe(0)
    await setSetting(server, 'searchengine_indexing', true)
    await server.runJobs()
    expect(await indexed()).toBe(1)
  })

  it('is one job, however often it is asked for', async () => {
    const { app } = server
    await app.db.transaction(async (tx) => {
      await enqueueCatchUp(tx, app.now())
      await enqueueCatchUp(tx, app.now())
    })
    const { text } = await server.inject('GET', '//metrics', {
      headers: { authorization: `Bearer ${server.root.token}` },
    })
    expect(text).toContain('stithy_jobs_backlog{queue="search"} 1')
  })
})
