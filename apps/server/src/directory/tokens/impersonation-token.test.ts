import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let root: { token: string }

beforeAll(async () => {
  server = await buildTestServer()
  root = { token: server.root.token }
})
afterAll(() => server.close())

const today = new Date().toISOString().slice(0, 10)
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

const path = (userId: number, end = '') => `/users/${userId}/impersonation_tokens${end}`

async function create(userId: number, values: object = {}) {
  const body = { name: 'helper', scopes: ['api'], ...values }
  return server.inject('POST', path(userId), { ...root, body })
}

describe('POST /users/:user_id/impersonation_tokens', () => {
  it('shows the token once, and stores only its hash', async () => {
    const user = await server.buildUser()
    const { status, body } = await create(user.id, { expires_at: '2999-01-31' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'helper',
      revoked: false,
      active: true,
      created_at: expect.stringMatching(/Z$/),
      scopes: ['api'],
      expires_at: '2999-01-31',
      impersonation: true,
      token: expect.stringMatching(/^[\w-]{27}$/),
    })
    const shown = await server.inject('GET', path(user.id, `/${body.id}`), root)
    expect(shown.body).not.toHaveProperty('token')
    const rows = await server.app.db.all('test.tokens', {}, (db) =>
      db.selectFrom('tokens').selectAll(),
    )
    expect(JSON.stringify(rows)).not.toContain(body.token)
    const acting = await server.inject('GET', '/user', { token: body.token })
    expect(acting.body.id).toBe(user.id)
  })

  it('answers 201 to a token that expires today, which is inactive from the start', async () => {
    const user = await server.buildUser()
    const { status, body } = await create(user.id, { expires_at: today })
    expect(status).toBe(201)
    expect(body).toMatchObject({ expires_at: today, active: false })
    expect((await server.inject('GET', '/user', { token: body.token })).status).toBe(401)
  })

  it('keeps the day of a timestamp', async () => {
    const user = await server.buildUser()
    const { body } = await create(user.id, { expires_at: '2999-01-31T23:30:00-05:00' })
    expect(body.expires_at).toBe('2999-01-31')
  })

  it('accepts scopes in form encoding', async () => {
    const user = await server.buildUser()
    const form = 'name=x&scopes[]=api&scopes[]=read_user&expires_at='
    const answer = await server.inject('POST', path(user.id), { ...root, form })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ scopes: ['api', 'read_user'], expires_at: null })
  })

  it.each([
    [{ name: undefined }, { error: 'name is missing' }],
    [{ scopes: undefined }, { error: 'scopes is missing' }],
    [{ scopes: ['all'] }, { error: 'scopes does not have a valid value' }],
    [{ scopes: [] }, { message: { scopes: ["can't be blank"] } }],
    [{ expires_at: '2020-02-30' }, { error: 'expires_at is invalid' }],
    [{ expires_at: '2020-02-28' }, { message: { expires_at: ['cannot be a date in the past'] } }],
    [{ expires_at: yesterday }, { message: { expires_at: ['cannot be a date in the past'] } }],
  ])('answers 400 to %j', async (values, body) => {
    const user = await server.buildUser()
    const answer = await create(user.id, values)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(body)
  })

  it('returns 404 for an unknown user, and 403 to non-administrators', async () => {
    const user = await server.buildUser()
    expect((await create(999_999)).status).toBe(404)
    const body = { name: 'x', scopes: ['api'] }
    const own = await server.inject('POST', path(user.id), { token: user.token, body })
    expect(own.status).toBe(403)
  })
})

describe('GET /users/:user_id/impersonation_tokens', () => {
  it('filters by state, and lists no personal tokens', async () => {
    const user = await server.buildUser()
    const active = await create(user.id)
    const expired = await create(user.id, { expires_at: '2999-01-01' })
    await server.app.db.run('test.expire', { id: expired.body.id }, (db, $) =>
      db.updateTable('tokens').set({ expiresAt: 1 }).where('id', '=', $('id')),
    )
    const revoked = await create(user.id)
    await server.inject('DELETE', path(user.id, `/${revoked.body.id}`), root)
    const ids = async (query: string) => {
      const { body } = await server.inject('GET', path(user.id), { ...root, query })
      return body.map((token: { id: number }) => token.id)
    }
    expect(await ids('')).toEqual([active.body.id, expired.body.id, revoked.body.id])
    expect(await ids('state=active')).toEqual([active.body.id])
    expect(await ids('state=inactive')).toEqual([expired.body.id, revoked.body.id])
    const wrong = await server.inject('GET', path(user.id), { ...root, query: 'state=dead' })
    expect(wrong.status).toBe(400)
  })

  it('is paginated', async () => {
    const user = await server.buildUser()
    for (let i = 0; i < 3; i += 1) await create(user.id)
    const answer = await server.inject('GET', path(user.id), {
      ...root,
      query: 'per_page=2&page=2',
    })
    expect(answer.body).toHaveLength(1)
    expect(answer.headers['x-total']).toBe('3')
  })
})

describe('DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id', () => {
  it('revokes the token and keeps it in the list', async () => {
    const user = await server.buildUser()
    const { body } = await create(user.id)
    const one = path(user.id, `/${body.id}`)
    expect((await server.inject('DELETE', one, root)).status).toBe(204)
    const used = await server.inject('GET', '/user', { token: body.token })
    expect(used.status).toBe(401)
    expect(used.body).toMatchObject({ message: '401 Unauthorized', error: 'invalid_token' })
    const shown = await server.inject('GET', one, root)
    expect(shown.body).toMatchObject({ revoked: true, active: false })
  })

  it('returns 404 for the token of another user and for a personal token', async () => {
    const user = await server.buildUser()
    const other = await server.buildUser()
    const { body } = await create(other.id)
    const answer = await server.inject('DELETE', path(user.id, `/${body.id}`), root)
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ message: '404 Impersonation Token Not Found' })
    const personal = await server.inject('GET', path(1, '/1'), root)
    expect(personal.status).toBe(404)
  })
})
