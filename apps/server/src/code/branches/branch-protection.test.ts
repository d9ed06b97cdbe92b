import { runHousekeeping } from '@stithy/git'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { type BranchFixture, buildBranchFixture } from '../../testing/git/branch-fixture.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: BranchFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildBranchFixture(server)
})

const create = (body: object, token = fixture.developer.token) =>
  server.inject('POST', fixture.at(), { token, body })
const call = (method: string, path: string, token = fixture.developer.token, body?: object) =>
  callAs(server, method, fixture.at(path), token, body)

describe('PUT /projects/:id/repository/branches/:branch/protect and /unprotect', () => {
  const levels = async () => {
    const path = `/projects/${fixture.project.id}/protected_branches/old`
    const { body } = await callAs(server, 'GET', path, fixture.maintainer.token)
    const { push_access_levels: pushes = [], merge_access_levels: merges = [] } = body
    return [...pushes, ...merges].map((entry: Json) => entry.access_level)
  }
  const put = (path: string, body?: object, token = fixture.maintainer.token) =>
    call('PUT', path, token, body)

  it('protects a branch for maintainers, and then opens and closes it for developers', async () => {
    const { status, body } = await put('/old/protect')
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        name: 'old',
        protected: true,
        developers_can_push: false,
        developers_can_merge: false,
      }),
    ])
    const open = await put('/old/protect', { developers_can_push: true })
    expect(open.body).toMatchObject({ developers_can_push: true, developers_can_merge: false })
    const both = await put('/old/protect', { developers_can_merge: 'true' })
    expect(both.body).toMatchObject({ developers_can_push: true, developers_can_merge: true })
    await put('/old/protect', { developers_can_push: false })
    expect(await levels()).toEqual([40, 30])
    const shown = await call('GET', '/old')
    expect(shown.body).toMatchObject({ protected: true, can_push: false })
  })

  it('protects a branch with the requested rights', async () => {
    await put('/old/protect', { developers_can_push: true, developers_can_merge: true })
    expect(await levels()).toEqual([30, 30])
  })

  it('removes the protection of the name, not that of a wildcard', async () => {
    await put('/old/protect')
    await fixture.protect({ name: 'o*' })
    expect((await put('/old/unprotect')).body).toMatchObject({ name: 'old', protected: true })
    expect(await levels()).toEqual([])
    expect((await put('/old/unprotect')).status).toBe(200)
  })

  it('returns 403 for branches that only other users may unprotect', async () => {
    await fixture.protect({ name: 'old', unprotect_access_level: 60 })
    expect((await put('/old/protect', { developers_can_push: true })).status).toBe(403)
    expect((await put('/old/unprotect')).status).toBe(403)
    expect((await put('/old/protect')).status).toBe(200)
    expect(await levels()).toEqual([40, 40])
  })

  it('returns 404, 400 and 403', async () => {
    for (const action of ['protect', 'unprotect']) {
      expect((await put(`/none/${action}`)).status).toBe(404)
      expect((await put(`/a..b/${action}`)).status).toBe(400)
      expect((await put(`/old/${action}`, undefined, fixture.developer.token)).status).toBe(403)
    }
    expect((await put('/old/protect', { developers_can_push: 'maybe' })).status).toBe(400)
  })
})

describe('GET /projects/:id/repository/branches with protections', () => {
  it('shows the rights on each branch, with the same queries and no git process for any number', async () => {
    await fixture.protect({ name: 'rel*', push_access_level: 30 })
    const names = ['a', 'b', 'release', 'c', 'd', 'e', 'f']
    for (const branch of names) await create({ branch, ref: 'old' }, fixture.maintainer.token)
    await runHousekeeping(server.app.git, await fixture.repository())
    const cost = async (query: string) => {
      const get = () =>
        server.inject('GET', fixture.at(), { token: fixture.developer.token, query })
      await get()
      await get()
      const [queries, spawned] = [server.app.db.stats.queries, server.app.git.spawnCount]
      const { body } = await get()
      const used = server.app.db.stats.queries - queries
      return { body, used, spawned: server.app.git.spawnCount - spawned }
    }
    const one = await cost('per_page=1')
    const all = await cost('per_page=100')
    expect([all.used, all.spawned]).toEqual([one.used, 0])
    const find = (name: string) => all.body.find((branch: Json) => branch.name === name)
    expect(find('main')).toMatchObject({ protected: true, can_push: false, merged: false })
    expect(find('release')).toMatchObject({
      protected: true,
      can_push: true,
      developers_can_push: true,
      merged: true,
    })
    expect(find('a')).toMatchObject({ protected: false, can_push: true })
  })
})
