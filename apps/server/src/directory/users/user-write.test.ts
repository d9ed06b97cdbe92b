import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let root: { token: string }

beforeAll(async () => {
  server = await buildTestServer()
  root = { token: server.root.token }
})
afterAll(() => server.close())

let sequence = 0

/** Unique values for a new user. */
function newUserValues(overrides: Record<string, unknown> = {}) {
  sequence += 1
  const username = `person${sequence}`
  return {
    username,
    name: `Person ${sequence}`,
    email: `${username}@example.org`,
    password: 'correct horse',
    ...overrides,
  }
}

describe('POST /users', () => {
  it('creates a user with a personal namespace', async () => {
    const values = newUserValues({
      admin: 'true',
      projects_limit: '5',
      can_create_group: false,
      bio: '',
    })
    const { status, body } = await server.inject('POST', '/users', { ...root, body: values })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      username: values.username,
      email: values.email,
      is_admin: true,
      projects_limit: 5,
      can_create_group: false,
      can_create_project: true,
      two_factor_enabled: false,
      external: false,
      bio: '',
      last_sign_in_at: null,
      current_sign_in_at: null,
    })
    const namespace = await server.app.db.first('test.ns', { id: body.id }, (db, $) =>
      db.selectFrom('namespaces').select(['path', 'kind']).where('ownerId', '=', $('id')),
    )
    expect(namespace).toEqual({ path: values.username, kind: 'user' })
  })

  it('returns 403 to everyone but administrators', async () => {
    const user = await server.buildUser()
    const answer = await server.inject('POST', '/users', {
      token: user.token,
      body: newUserValues(),
    })
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({ message: '403 Forbidden' })
  })

  it('returns 409 when the e-mail address or the username is taken, in any case', async () => {
    const first = await server.buildUser()
    const email = await server.inject('POST', '/users', {
      ...root,
      body: newUserValues({ email: first.email.toUpperCase() }),
    })
    expect([email.status, email.body]).toEqual([409, { message: 'Email has already been taken' }])
    const username = await server.inject('POST', '/users', {
      ...root,
      body: newUserValues({ username: first.username.toUpperCase() }),
    })
    expect(username.status).toBe(409)
    expect(username.body).toEqual({ message: 'Username has already been taken' })
  })

  it('returns 409 for the path of a group', async () => {
    const group = await server.buildGroup()
    const body = newUserValues({ username: group.path.toUpperCase() })
    const answer = await server.inject('POST', '/users', { ...root, body })
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual({ message: 'Username has already been taken' })
  })

  it('creates only one of two concurrent users', async () => {
    const values = newUserValues()
    const statuses = await Promise.all(
      [1, 2, 3].map(
        async () => (await server.inject('POST', '/users', { ...root, body: values })).status,
      ),
    )
    expect(statuses.toSorted()).toEqual([201, 409, 409])
  })

  it.each([
    [{ email: undefined }, { error: 'email is missing' }],
    [{ name: '' }, { error: 'name is empty' }],
    [{ password: undefined, reset_password: false }, { error: 'password is missing' }],
    [
      { password: undefined },
      { error: 'password, reset_password are missing, at least one parameter must be provided' },
    ],
    [{ provider: 'ldap' }, { error: 'extern_uid, provider provide all or none of parameters' }],
    [{ projects_limit: -1 }, { error: 'projects_limit does not have a valid value' }],
    [{ admin: 'maybe' }, { error: 'admin is invalid' }],
    [{ username: 'a\0b' }, { error: 'username is invalid' }],
    [{ name: 'a\ud800' }, { error: 'name is invalid' }],
    [{ password: 'short' }, { message: { password: ['is too short (minimum is 8 characters)'] } }],
    [{ email: 'nonsense' }, { message: { email: ['is invalid'] } }],
    [{ username: 'api' }, { message: { username: ['api is a reserved name'] } }],
    [{ username: 'Ghost' }, { message: { username: ['Ghost is a reserved name'] } }],
    [{ bio: 'x'.repeat(256) }, { message: { bio: ['is too long (maximum is 255 characters)'] } }],
  ])('answers 400 to %j', async (values, body) => {
    const answer = await server.inject('POST', '/users', { ...root, body: newUserValues(values) })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(body)
  })

  it('creates a user without a password when a reset is requested', async () => {
    const values = newUserValues({ reset_password: true })
    const { status, body } = await server.inject('POST', '/users', { ...root, body: values })
    expect(status).toBe(201)
    const row = await server.app.db.first('test.hash', { id: body.id }, (db, $) =>
      db.selectFrom('users').select('passwordHash').where('id', '=', $('id')),
    )
    expect(row?.passwordHash).toBeNull()
  })

  it('stores only an argon2id hash of the password', async () => {
    const { body } = await server.inject('POST', '/users', { ...root, body: newUserValues() })
    const row = await server.app.db.first('test.hash', { id: body.id }, (db, $) =>
      db.selectFrom('users').select('passwordHash').where('id', '=', $('id')),
    )
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/)
  })

  it('stores an identity at a provider, once', async () => {
    const identity = { provider: 'saml', extern_uid: 'uid-1' }
    const first = await server.inject('POST', '/users', { ...root, body: newUserValues(identity) })
    expect(first.body.identities).toEqual([identity])
    const second = await server.inject('POST', '/users', { ...root, body: newUserValues(identity) })
    expect(second.status).toBe(400)
    expect(second.body).toEqual({ message: { extern_uid: ['has already been taken'] } })
  })

  it('accepts form bodies and the query string', async () => {
    const { username, name, email, password } = newUserValues()
    const form = new URLSearchParams({ username, name, password }).toString()
    const query = new URLSearchParams({ email }).toString()
    const answer = await server.inject('POST', '/users', { ...root, form, query })
    expect(answer.status).toBe(201)
    expect(answer.body.email).toBe(email)
  })
})

describe('PUT /users/:id', () => {
  it('updates only the values that are sent', async () => {
    const user = await server.buildUser({ bio: 'before', admin: true })
    const body = { name: 'New Name', location: 'Here', private_profile: true, projects_limit: 3 }
    const answer = await server.inject('PUT', `/users/${user.id}`, { ...root, body })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ...body, bio: 'before', is_admin: true })
  })

  it('renames the namespace and its projects with the username', async () => {
    const user = await server.buildUser()
    const username = `${user.username}-renamed`
    const project = await server.buildProject({}, user)
    await server.inject('PUT', `/users/${user.id}`, { ...root, body: { username } })
    const moved = await server.inject('GET', `/projects/${project.id}`, root)
    expect(moved.body.path_with_namespace).toBe(`${username}/${project.path}`)
    const row = await server.app.db.first('test.path', { id: user.id }, (db, $) =>
      db.selectFrom('namespaces').select(['path', 'fullPathLower']).where('ownerId', '=', $('id')),
    )
    expect(row).toEqual({ path: username, fullPathLower: username })
  })

  it.each([
    [
      'a taken e-mail address',
      { email: 'ADMIN@local.invalid' },
      { email: ['has already been taken'] },
    ],
    [
      'the name of the ghost user',
      { username: 'ghost' },
      { username: ['ghost is a reserved name'] },
    ],
    ['a taken username', { username: 'ROOT' }, { username: ['has already been taken'] }],
    ['a bad e-mail address', { email: 'x' }, { email: ['is invalid'] }],
    [
      'a short password',
      { password: 'abc' },
      { password: ['is too short (minimum is 8 characters)'] },
    ],
  ])('answers 404 to %s', async (_what, body, message) => {
    const user = await server.buildUser()
    const answer = await server.inject('PUT', `/users/${user.id}`, { ...root, body })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ message })
    const { body: after } = await server.inject('GET', `/users/${user.id}`, root)
    expect(after).toMatchObject({ email: user.email, username: user.username })
  })

  it('accepts the current names', async () => {
    const user = await server.buildUser()
    const body = { username: user.username.toUpperCase(), email: user.email }
    const answer = await server.inject('PUT', `/users/${user.id}`, { ...root, body })
    expect(answer.status).toBe(200)
    expect(answer.body.username).toBe(user.username.toUpperCase())
  })

  it('returns 404 for an unknown user and 403 to non-administrators', async () => {
    const user = await server.buildUser()
    const nobody = await server.inject('PUT', '/users/999999', { ...root, body: { name: 'x' } })
    expect(nobody.status).toBe(404)
    const own = { token: user.token, body: { admin: true } }
    expect((await server.inject('PUT', `/users/${user.id}`, own)).status).toBe(403)
  })

  it('replaces the identity at a provider', async () => {
    const user = await server.buildUser({ provider: 'ldap', extern_uid: 'old' })
    const body = { provider: 'ldap', extern_uid: 'new' }
    const answer = await server.inject('PUT', `/users/${user.id}`, { ...root, body })
    expect(answer.body.identities).toEqual([body])
  })
})
