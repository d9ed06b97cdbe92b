/*
 * /admin/jobs draws the backlog of each queue now, and of all over the last day, which is interrupted
 * where nothing was recorded; it names the workers, and shows how far the search index is.
 */
import { enqueueJob, saveJobSample } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { setSetting } from '../../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  browser = await openBrowser(server, server.root)
  await server.runJobs()
})
afterAll(() => server.close())

describe('GET /admin/jobs', () => {
  it('draws the backlog of each queue', async () => {
    const add = (queue: string) =>
      server.app.db.transaction((tx) =>
        enqueueJob(tx, { queue, kind: 'nothing', payload: null }, server.app.now() - 5000),
      )
    for (const queue of ['users', 'users', 'pushes']) await add(queue)
    const page = await browser.open('/admin/jobs')
    const plot = page.document.querySelector('svg[aria-label="Due jobs of each queue"]')
    expect(plot).not.toBeNull()
    expect(page.text).toMatch(/>users<\/text>\n<rect class="bar" x="150" y="\d+" width="490"/)
    expect(page.text).toMatch(/>pushes<\/text>\n<rect class="bar" x="150" y="\d+" width="245"/)
    const cells = page.document
      .querySelectorAll('tr')
      .map((row) => row.querySelectorAll('td').map(({ text }) => text))
    expect(cells).toContainEqual(['users', '2', '5 s'])
    expect(page.texts('.empty h2')).toEqual(['No worker is running'])
    await server.runJobs()
    expect((await browser.open('/admin/jobs')).text).toContain('No job is due.')
  })

  it('draws the last day, which is interrupted where nothing was recorded', async () => {
    const { app } = server
    expect((await browser.open('/admin/jobs')).text).toContain('has not been recorded')
    const now = Math.floor(app.now() / 60_000)
    const samples = [
      [10, 4],
      [9, 2],
      [7, 1],
      [1, 3],
      [0, 1],
    ] as const
    for (const [ago, backlog] of samples) {
      await saveJobSample(app.db, { minute: now - ago, backlog, latency: backlog * 1500 })
    }
    const { text } = await browser.open('/admin/jobs')
    expect(text).toContain('aria-label="Due jobs, at most 4"')
    expect(text).toContain('aria-label="Longest wait, at most 6 s"')
    expect(text.match(/<polygon/g)).toHaveLength(4)
    expect(text).toContain('points="711.5,116 711.5,44 712,92 712,116"')
  })

  it('shows how far the search index is', async () => {
    await server.buildProject({ initialize_with_readme: true })
    await server.runJobs()
    const page = await browser.open('/admin/jobs')
    expect(page.texts('tr')).toContain('Repositories to index 1')
    expect(page.texts('tr')).toContain('Indexed 1')
    await setSetting(server, 'searchengine_indexing', false)
    const off = await browser.open('/admin/jobs')
    expect(off.text).toContain('It is switched off by the setting')
    await setSetting(server, 'searchengine_indexing', true)
  })
})
