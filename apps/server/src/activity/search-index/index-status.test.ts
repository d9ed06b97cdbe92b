/**
 * How far the search index is, in the metrics and on the administration pages: what it should have by
 * its settings, what it has, and what waits since when.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { created } from '../../testing/clients/calls.ts'
import { setSetting, setSettings } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { readIndexStatus } from './index-status.ts'
import { enqueueCatchUp } from './search-index.jobs.ts'

let server: TestServer
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  group = await server.buildGroup()
  const inner = await server.buildGroup({ parent_id: group.id })
  project = await server.buildProject({ namespace_id: inner.id, initialize_with_readme: true })
  await server.buildProject({ initialize_with_readme: true })
  await server.buildProject({ initialize_with_readme: false })
  await created(server, `/projects/${project.id}/wikis`, { title: 'home', content: 'x' })
})
afterAll(() => server.close())

const status = () => readIndexStatus(server.app)
const page = (title: string) => ({ title, content: 'x' })

/** The metrics `stithy_search_*` without their prefix. */
async function metrics(): Promise<Record<string, number>> {
  const { text } = await server.inject('GET', '//metrics', {
    headers: { authorization: `Bearer ${server.root.token}` },
  })
  const samples = text.matchAll(/^stithy_search_(\w+) (\S+)$/gm)
  return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]))
}

describe('the status of the search index', () => {
  it('counts what waits, and for how long the first has', async () => {
    server.advance(30_000)
    expect(await status()).toMatchObject({ isOn: true, indexed: 0, waiting: 3 })
    expect((await status()).lag).toBeGreaterThanOrEqual(30_000)
    expect(await metrics()).toMatchObject({
      index_enabled: 1,
      repositories_indexed: 0,
      repositories_waiting: 3,
    })
    expect((await metrics()).lag_seconds).toBeGreaterThanOrEqual(30)
    await server.runJobs()
    expect(await status()).toEqual({ isOn: true, repositories: 3, indexed: 3, waiting: 0, lag: 0 })
    await created(server, `/projects/${project.id}/wikis`, page('a'))
    await created(server, `/projects/${project.id}/wikis`, page('b'))
    expect(await status()).toMatchObject({ indexed: 3, waiting: 1 })
    await server.app.db.transaction((tx) => enqueueCatchUp(tx, server.app.now()))
    expect((await status()).waiting).toBe(1)
    await server.runJobs()
  })

  it('does not say what an external engine has', async () => {
    await setSetting(server, 'searchengine_url', 'http://127.0.0.1:9')
    expect(await status()).toMatchObject({ isOn: true, repositories: 3, indexed: undefined })
    expect(await metrics()).toMatchObject({ repositories_indexed: Number.NaN })
    await setSetting(server, 'searchengine_url', '')
    expect((await status()).indexed).toBe(3)
    await server.runJobs()
  })

  it('is on the jobs page', async () => {
    const browser = openBrowser(server)
    const admin = await server.buildUser({ admin: true })
    await browser.signIn(admin.username, admin.password)
    const { text } = await browser.send('GET', '/admin/jobs')
    expect(text).toContain('<th scope="row">Indexed</th><td class="number">3</td>')
    expect(text).toContain('<th scope="row">Repositories to index</th><td class="number">3</td>')
    await setSetting(server, 'searchengine_indexing', false)
    const off = await browser.send('GET', '/admin/jobs')
    expect(off.text).toContain('It is switched off by the setting searchengine_indexing.')
    await setSetting(server, 'searchengine_indexing', true)
  })

  it('follows the settings', async () => {
    await setSetting(server, 'searchengine_indexing', false)
    expect(await metrics()).toMatchObject({ index_enabled: 0, repositories: 0 })
    await setSettings(server, {
      searchengine_indexing: true,
      searchengine_limit_indexing: true,
      searchengine_namespace_ids: [group.id],
      searchengine_project_ids: [],
    })
    await server.runJobs()
    expect(await status()).toMatchObject({ isOn: true, repositories: 2, indexed: 2, waiting: 0 })
    await setSettings(server, {
      searchengine_namespace_ids: [],
      searchengine_project_ids: [project.id + 1, project.id + 2],
    })
    await server.runJobs()
    expect(await status()).toMatchObject({ repositories: 1, indexed: 1 })
  })

  it('does not count deleted projects', async () => {
    await setSetting(server, 'searchengine_limit_indexing', false)
    await server.runJobs()
    expect(await status()).toMatchObject({ repositories: 3, indexed: 3 })
    await server.inject('DELETE', `/projects/${project.id}`, { token: server.root.token })
    expect((await status()).repositories).toBe(1)
    await server.runJobs()
    expect(await status()).toMatchObject({ repositories: 1, indexed: 1, waiting: 0 })
  })
})
