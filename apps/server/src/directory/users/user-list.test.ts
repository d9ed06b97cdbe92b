import { AdminUser, UserRef } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let root: { token: string }

beforeAll(async () => {
  server = await buildTestServer()
  root = { token: server.root.token }
})
afterAll(() => server.close())

const refKeys = Object.keys(UserRef.shape).toSorted()
const adminKeys = Object.keys(AdminUser.shape)
  .filter((key) => key !== 'custom_attributes')
  .toSorted()

function keysOf(value: object): string[] {
  return Object.keys(value).toSorted()
}

describe('GET /users', () => {
  it('returns 401 without a token', async () => {
    const answer = await server.inject('GET', '/users')
    expect(answer.status).toBe(401)
  })

  it('shows the public shape to users and the full one to administrators', async () => {
    const user = await server.buildUser()
    const query = `username=${user.username}`
    const answer = await server.inject('GET', '/users', { token: user.token, query })
    expect(keysOf(answer.body[0])).toEqual(refKeys)
    expect(answer.body[0]).toEqual({
      id: user.id,
      name: user.name,
      username: user.username,
      state: 'active',
      avatar_url: null,
      web_url: `http://stithy.test/${user.username}`,
    })
    const full = await server.inject('GET', '/users', { ...root, query })
    expect(keysOf(full.body[0])).toEqual(adminKeys)
    expect(full.body[0]).toMatchObject({ email: user.email, is_admin: false, identities: [] })
  })

  it('filters by the exact username, in any case', async () => {
    const user = await server.buildUser()
    const query = `username=${user.username.toUpperCase()}`
    const { body } = await server.inject('GET', '/users', { token: user.token, query })
    expect(body.map((found: { id: number }) => found.id)).toEqual([user.id])
    const part = await server.inject('GET', '/users', {
      ...root,
      query: `username=${user.username.slice(0, -1)}x`,
    })
    expect(part.body).toEqual([])
  })

  it('searches usernames', async () => {
    const user = await server.buildUser({ name: 'Somebody', username: 'Quill.Writer' })
    for (const { token } of [user, root]) {
      const answer = await server.inject('GET', '/users', { token, query: 'search=quill.w' })
      expect(answer.body.map((found: { id: number }) => found.id)).toEqual([user.id])
    }
  })

  it('searches names and full e-mail addresses; administrators also find parts of addresses', async () => {
    const user = await server.buildUser({ name: 'Ada %_ Lovelace', email: 'Countess@engine.test' })
    const find = async (search: string, token: string) => {
      const query = `search=${encodeURIComponent(search)}`
      const { body } = await server.inject('GET', '/users', { token, query })
      return body.map((found: { id: number }) => found.id)
    }
    expect(await find('LOVELACE', user.token)).toEqual([user.id])
    expect(await find('%_', user.token)).toEqual([user.id])
    expect(await find('countess@ENGINE.test', user.token)).toEqual([user.id])
    expect(await find('countess@', user.token)).toEqual([])
    expect(await find('countess@', root.token)).toEqual([user.id])
  })

  it('filters by state; false values filter nothing', async () => {
    const user = await server.buildUser({ name: 'State Filter' })
    await server.inject('POST', `/users/${user.id}/block`, root)
    const count = async (filter: string) => {
      const query = `search=State+Filter&${filter}`
      return (await server.inject('GET', '/users', { ...root, query })).body.length
    }
    expect(await count('blocked=true')).toBe(1)
    expect(await count('active=true')).toBe(0)
    expect(await count('active=true&blocked=true')).toBe(0)
    expect(await count('active=false&blocked=false')).toBe(1)
  })

  it('supports further filters for administrators', async () => {
    const own = { external: true, provider: 'ldap', extern_uid: 'cn=x', name: 'Odd One' }
    const user = await server.buildUser(own)
    await server.inject('PUT', `/users/${user.id}/custom_attributes/team`, {
      ...root,
      body: { value: 'red' },
    })
    const ids = async (query: string) => {
      const { body } = await server.inject('GET', '/users', { ...root, query })
      return body.map((found: { id: number }) => found.id)
    }
    expect(await ids('external=true&search=Odd')).toEqual([user.id])
    expect(await ids('provider=ldap&extern_uid=cn%3Dx')).toEqual([user.id])
    expect(await ids('provider=ldap&extern_uid=other')).toEqual([])
    expect(await ids('search=Odd&two_factor=enabled')).toEqual([])
    expect(await ids('search=Odd&two_factor=disabled')).toEqual([user.id])
    expect(await ids('search=Odd&created_before=2001-01-01T00:00:00Z')).toEqual([])
    expect(await ids('search=Odd&created_after=2001-01-01T00:00:00Z')).toEqual([user.id])
    expect(await ids('custom_attributes[team]=red')).toEqual([user.id])
    expect(await ids('custom_attributes[team]=red&custom_attributes[x]=y')).toEqual([])
    expect(await ids('custom_attributes[team]=blue')).toEqual([])
  })

  it('rejects the filters that would reveal accounts for other callers, and ignores their order', async () => {
    const user = await server.buildUser()
    const status = async (query: string) =>
      (await server.inject('GET', '/users', { token: user.token, query })).status
    expect(await status('external=true')).toBe(403)
    expect(await status('provider=ldap&extern_uid=x')).toBe(403)
    const query = 'order_by=id&sort=asc&with_custom_attributes=true&per_page=1'
    const { body } = await server.inject('GET', '/users', { token: user.token, query })
    expect(body[0].id).not.toBe(1)
    expect(keysOf(body[0])).toEqual(refKeys)
  })

  it.each(['id', 'name', 'username', 'created_at', 'updated_at'])('orders by %s', async (order) => {
    await server.buildUser()
    const list = async (sort: string) => {
      const query = `order_by=${order}&sort=${sort}&per_page=100`
      const { body } = await server.inject('GET', '/users', { ...root, query })
      return body.map((user: { id: number }) => user.id)
    }
    expect(await list('asc')).toEqual((await list('desc')).toReversed())
  })

  it.each([
    ['order_by=password', 'order_by does not have a valid value'],
    ['two_factor=maybe', 'two_factor does not have a valid value'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['active=perhaps', 'active is invalid'],
    ['extern_uid=x', 'extern_uid, provider provide all or none of parameters'],
    ['provider=ldap', 'extern_uid, provider provide all or none of parameters'],
    ['provider=ldap&extern_uid=', 'extern_uid, provider provide all or none of parameters'],
  ])('answers 400 to %s', async (query, error) => {
    const answer = await server.inject('GET', '/users', { ...root, query })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error })
  })

  it('needs at most six queries for any page', async () => {
    await server.buildUser({ provider: 'saml', extern_uid: 'many' })
    const { stats } = server.app.db
    const before = stats.queries
    await server.inject('GET', '/users', { ...root, query: 'per_page=100&search=user' })
    expect(stats.queries - before).toBeLessThanOrEqual(6)
  })
})
