import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const show = (token?: string) => callAs(server, 'GET', '/application/storage', token)

describe('GET /application/storage', () => {
  it('sums what projects take, as their statistics have it, and shows the disk', async () => {
    const empty = (await show(server.root.token)).body
    expect(empty).toMatchObject({ repositories: 0, wikis: 0, files: 0 })
    expect(empty.disk_size).toBeGreaterThan(empty.disk_available)
    expect(empty.disk_available).toBeGreaterThan(0)
    const { project, push, commitTo } = await buildRepositoryFixture(server)
    await commitTo('main', { 'a.txt': 'a\n'.repeat(10_000) }, 'Long')
    await push('main')
    await server.runJobs()
    const { body } = await callAs(
      server,
      'GET',
      `/projects/${project.id}?statistics=true`,
      server.root.token,
    )
    const { repository_size: size } = body.statistics
    expect(size).toBeGreaterThan(0)
    expect((await show(server.root.token)).body.repositories).toBe(size)
  })

  it('returns 403 to users and 401 without a token', async () => {
    const { token } = await server.buildUser()
    expect((await show(token)).status).toBe(403)
    expect((await show()).status).toBe(401)
  })
})
