import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const owners = {
  users: () => server.buildUser(),
  groups: () => server.buildGroup({ visibility: 'public' }),
  projects: () => server.buildProject({ visibility: 'public' }),
}

describe.each(['users', 'groups', 'projects'] as const)('custom attributes of %s', (kind) => {
  const build = async () => `/${kind}/${(await owners[kind]()).id}/custom_attributes`
  const call = (method: string, path: string, body?: unknown, token = server.root.token) =>
    server.inject(method, path, { token, ...(body === undefined ? {} : { body }) })

  it('sets, updates, lists, shows and deletes', async () => {
    const path = await build()
    expect((await call('GET', path)).body).toEqual([])
    const made = await call('PUT', `${path}/room`, { value: '1' })
    expect([made.status, made.body]).toEqual([200, { key: 'room', value: '1' }])
    const changed = await call('PUT', `${path}/room`, { value: 2 })
    expect(changed.body).toEqual({ key: 'room', value: '2' })
    await call('PUT', `${path}/a%20b%2Fc`, { value: 'x' })
    const list = await call('GET', path)
    expect(list.body).toEqual([
      { key: 'a b/c', value: 'x' },
      { key: 'room', value: '2' },
    ])
    expect(list.headers['x-total']).toBe('2')
    expect((await call('GET', `${path}/room`)).body).toEqual({ key: 'room', value: '2' })
    expect((await call('DELETE', `${path}/room`)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) {
      const deleted = await call(method, `${path}/room`)
      expect(deleted.status).toBe(404)
    }
  })

  it('returns 400 for a missing, blank or overlong value', async () => {
    const path = await build()
    const missing = await call('PUT', `${path}/k`, {})
    expect([missing.status, missing.body]).toEqual([400, { error: 'value is missing' }])
    expect((await call('PUT', `${path}/k`, { value: '' })).status).toBe(400)
    expect((await call('PUT', `${path}/k`, { value: 'x'.repeat(65_537) })).status).toBe(400)
    const long = await call('PUT', `${path}/${'k'.repeat(256)}`, { value: 'x' })
    expect(long.status).toBe(400)
    expect((await call('GET', path)).body).toEqual([])
  })

  it('returns 403 to non-administrators, and 401 without a token', async () => {
    const path = await build()
    const user = await server.buildUser()
    expect((await call('GET', path, undefined, user.token)).status).toBe(403)
    expect((await call('PUT', `${path}/k`, { value: 'v' }, user.token)).status).toBe(403)
    expect((await call('DELETE', `${path}/k`, undefined, user.token)).status).toBe(403)
    expect((await server.inject('GET', path)).status).toBe(401)
  })

  it('returns 404 for an unknown owner', async () => {
    const { status } = await call('GET', `/${kind}/999999/custom_attributes`)
    expect(status).toBe(404)
  })
})
