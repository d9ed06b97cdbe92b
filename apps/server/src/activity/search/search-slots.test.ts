/**
 * Searches of code take slots: one user has a share of them, more of their searches wait, and are 429
 * when too many do; others are answered meanwhile, and so are searches of other scopes.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  const { config } = server.app
  const search = { ...config.codeLimits.search, concurrent: 2, concurrentPerUser: 1, waiting: 8 }
  config.codeLimits = { ...config.codeLimits, search }
  project = await server.buildProject({ visibility: 'public', initialize_with_readme: true })
})
afterAll(() => server.close())

describe('GET /projects/:id/search with many searches at a time', () => {
  it('answers those of a user in turn, 429 to too many, and others meanwhile', async () => {
    const { spawner } = server.app.git.parts
    const start = spawner.start.bind(spawner)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let running = 0
    vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
      if (options.args.includes('grep') || options.args.includes('ls-tree')) {
        running += 1
        await released
      }
      return start(options)
    })
    const path = `/projects/${project.id}/search`
    const search = (token: string, scope: string, text: string) => {
      const query = new URLSearchParams({ scope, search: text, ref: 'HEAD' })
      return server.inject('GET', path, { token, query: String(query) })
    }
    const { token } = server.root
    const texts = Array.from({ length: 6 }, (_, index) => `text ${index}`)
    const [first = '', ...others] = texts
    const searches = [search(token, 'blobs', first)]
    await expect.poll(() => running).toBe(1)
    searches.push(...others.map((text) => search(token, 'blobs', text)))
    const refused = searches.map(async (each) => (await each).status)
    expect(await Promise.race(refused)).toBe(429)
    expect((await search(token, 'issues', 'text')).status).toBe(200)
    const other = await server.buildUser()
    // Somebody else waits for none of these.
    expect((await search(other.token, 'wiki_blobs', 'text')).status).toBe(200)
    expect(running).toBe(1)
    release()
    const statuses = (await Promise.all(refused)).toSorted()
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
    const again = await search(token, 'blobs', 'text')
    expect(again.status).toBe(200)
    expect((await searches[0])?.status).toBe(200)
  })
})
