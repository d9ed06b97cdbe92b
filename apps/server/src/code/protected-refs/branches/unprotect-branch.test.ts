import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../../testing/clients/calls.ts'
import { type BranchFixture, buildBranchFixture } from '../../../testing/git/branch-fixture.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let fixture: BranchFixture

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  fixture = await buildBranchFixture(server)
})

const at = (path = '') => `/projects/${fixture.project.id}/protected_branches${path}`
const protect = (body: object) =>
  server.inject('POST', at(), { token: fixture.maintainer.token, body })
const call = (method: string, path = '', token = fixture.maintainer.token) =>
  callAs(server, method, at(path), token)

describe('DELETE /projects/:id/protected_branches/:name', () => {
  it('removes a protection, once', async () => {
    await protect({ name: 'release/*' })
    expect((await call('DELETE', '/release%2F1')).status).toBe(404)
    expect((await call('DELETE', '/release%2F*', fixture.developer.token)).status).toBe(403)
    const answer = await call('DELETE', '/release%2F*')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await call('DELETE', '/release%2F*')).status).toBe(404)
    expect((await protect({ name: 'release/*' })).status).toBe(201)
  })

  it('is allowed for the users who may unprotect it, and for administrators', async () => {
    const other = await server.buildUser()
    await server.addMember(`projects/${fixture.project.id}`, other.id, 40)
    await protect({ name: 'mine', allowed_to_unprotect: [{ user_id: fixture.maintainer.id }] })
    await protect({ name: 'admins', unprotect_access_level: 60 })
    await protect({ name: 'locked', unprotect_access_level: 0 })
    const refused = await call('DELETE', '/mine', other.token)
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: '403 Forbidden - You are not allowed to change the protection of this branch' },
    ])
    expect((await call('DELETE', '/admins')).status).toBe(403)
    expect((await call('DELETE', '/locked')).status).toBe(403)
    expect((await call('DELETE', '/mine')).status).toBe(204)
    expect((await call('DELETE', '/admins', server.root.token)).status).toBe(204)
    expect((await call('DELETE', '/locked', server.root.token)).status).toBe(204)
  })

  it('respects If-Unmodified-Since', async () => {
    await protect({ name: 'x' })
    const remove = (since: string) =>
      server.inject('DELETE', at('/x'), {
        token: fixture.maintainer.token,
        headers: { 'if-unmodified-since': since },
      })
    expect((await remove('Mon, 01 Jan 2018 00:00:00 GMT')).status).toBe(412)
    expect((await remove(new Date(Date.now() + 60_000).toUTCString())).status).toBe(204)
  })
})
