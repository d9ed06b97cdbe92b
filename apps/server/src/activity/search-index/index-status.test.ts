/**
 * How far the search index is, in the metrics and for administrators: what it should have by
 * its settings, what it has, and what waits since when.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
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

  it('is answered to administrators alone', async () => {
    const read = (token?: string) => callAs(server, 'GET', '/search_index', token)
    const { token } = server.root
    const { body } = await read(token)
    expect(body).toEqual({ enabled: true, repositories: 3, indexed: 3, waiting: 0, lag: 0 })
    await created(server, `/projects/${project.id}/wikis`, page('c'))
    server.advance(10_400)
    const late = (await read(token)).body
    expect(late).toMatchObject({ indexed: 3, waiting: 1 })
    expect(Number.isInteger(late.lag)).toBe(true)
    expect(late.lag).toBeGreaterThanOrEqual(10)
    await server.runJobs()
    await setSetting(server, 'searchengine_indexing', false)
    expect((await read(token)).body).toMatchObject({ enabled: false, repositories: 0 })
    await setSetting(server, 'searchengine_indexing', true)
    await server.runJobs()
    const user = await server.buildUser()
    expect((await read(user.token)).status).toBe(403)
    expect((await read()).status).toBe(401)
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
