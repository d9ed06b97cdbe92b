import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let root: { token: string }

beforeAll(async () => {
  server = await buildTestServer()
  root = { token: server.root.token }
})
afterAll(() => server.close())

const refKeys = ['avatar_url', 'id', 'name', 'state', 'username', 'web_url']
const profileKeys = [
  ...refKeys,
  'bio',
  'created_at',
  'linkedin',
  'location',
  'organization',
  'public_email',
  'skype',
  'twitter',
  'website_url',
].toSorted()
const ownKeys = [
  ...profileKeys,
  'can_create_group',
  'can_create_project',
  'color_scheme_id',
  'confirmed_at',
  'current_sign_in_at',
  'email',
  'external',
  'identities',
  'last_activity_on',
  'last_sign_in_at',
  'private_profile',
  'projects_limit',
  'theme_id',
  'two_factor_enabled',
].toSorted()
const adminKeys = [
  ...ownKeys,
  'extra_shared_runners_minutes_limit',
  'is_admin',
  'note',
  'shared_runners_minutes_limit',
].toSorted()

function keysOf(value: object): string[] {
  return Object.keys(value).toSorted()
}

describe('GET /users/:id', () => {
  it('shows the single-user shape', async () => {
    const user = await server.buildUser({ bio: 'Smith', organization: 'Forge', skype: 'sk' })
    const other = await server.buildUser()
    const { status, body } = await server.inject('GET', `/users/${user.id}`, other)
    expect(status).toBe(200)
    expect(keysOf(body)).toEqual(profileKeys)
    expect(body).toMatchObject({
      bio: 'Smith',
      organization: 'Forge',
      skype: 'sk',
      location: null,
      public_email: '',
    })
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('hides created_at of a private profile, except from the user and administrators', async () => {
    const user = await server.buildUser({ private_profile: true })
    const other = await server.buildUser()
    const see = async (token: string) =>
      (await server.inject('GET', `/users/${user.id}`, { token })).body
    expect(await see(other.token)).not.toHaveProperty('created_at')
    expect(await see(user.token)).toHaveProperty('created_at')
    expect(await see(root.token)).toHaveProperty('created_at')
  })

  it('shows administrators all fields, highest_role and custom attributes on request', async () => {
    const user = await server.buildUser()
    const { body } = await server.inject('GET', `/users/${user.id}`, root)
    expect(keysOf(body)).toEqual([...adminKeys, 'highest_role'].toSorted())
    expect(body.highest_role).toBe(0)
    const group = await server.buildGroup()
    await server.addMember(`groups/${group.id}`, user.id, 30)
    expect((await server.inject('GET', `/users/${user.id}`, root)).body.highest_role).toBe(30)
    const attribute = `/users/${user.id}/custom_attributes/team`
    await server.inject('PUT', attribute, { ...root, body: { value: 'red' } })
    const query = 'with_custom_attributes=true'
    const more = await server.inject('GET', `/users/${user.id}`, { ...root, query })
    expect(more.body.custom_attributes).toEqual([{ key: 'team', value: 'red' }])
    const less = await server.inject('GET', `/users/${user.id}`, { token: user.token, query })
    expect(less.body).not.toHaveProperty('custom_attributes')
  })

  it('returns 404 for an unknown user and 400 for an invalid id', async () => {
    const missing = await server.inject('GET', '/users/999999', root)
    expect(missing.status).toBe(404)
    expect(missing.body).toEqual({ message: '404 User Not Found' })
    const wrong = await server.inject('GET', '/users/someone', root)
    expect(wrong.status).toBe(400)
  })
})

describe('GET /user', () => {
  it('shows the caller, without fields for administrators', async () => {
    const user = await server.buildUser()
    const { status, body } = await server.inject('GET', '/user', { token: user.token })
    expect(status).toBe(200)
    expect(keysOf(body)).toEqual(ownKeys)
    expect(body).toMatchObject({ id: user.id, email: user.email })
  })

  it('shows administrators the full shape, also with the scope read_user', async () => {
    const token = await server.buildToken(1, ['read_user'])
    const { body } = await server.inject('GET', '/user', { token })
    expect(keysOf(body)).toEqual(adminKeys)
  })

  it('shows the impersonated user under sudo', async () => {
    const user = await server.buildUser()
    const { body } = await server.inject('GET', '/user', {
      ...root,
      query: `sudo=${user.username.toUpperCase()}`,
    })
    expect(body.id).toBe(user.id)
    expect(keysOf(body)).toEqual(ownKeys)
    const unknown = await server.inject('GET', '/user', { ...root, query: 'sudo=nobody-here' })
    expect(unknown.status).toBe(404)
    expect(unknown.body).toEqual({
      message: "404 User with ID or username 'nobody-here' Not Found",
    })
  })

  it('counts the personal projects against the limit', async () => {
    const user = await server.buildUser({ projects_limit: 1 })
    const can = async () =>
      (await server.inject('GET', '/user', { token: user.token })).body.can_create_project
    expect(await can()).toBe(true)
    await server.buildProject({}, user)
    expect(await can()).toBe(false)
  })

  it('shows that external users can create neither projects nor groups', async () => {
    const user = await server.buildUser({ external: true })
    const { body } = await server.inject('GET', '/user', { token: user.token })
    expect(body).toMatchObject({
      external: true,
      can_create_group: false,
      can_create_project: false,
    })
  })
})

describe('POST /users/:id/block', () => {
  it('revokes all access, and unblocking restores it', async () => {
    const user = await server.buildUser()
    const blocked = await server.inject('POST', `/users/${user.id}/block`, root)
    expect([blocked.status, blocked.body]).toEqual([201, true])
    const again = await server.inject('POST', `/users/${user.id}/block`, root)
    expect([again.status, again.body]).toEqual([201, true])
    const refused = await server.inject('GET', '/user', { token: user.token })
    expect(refused.status).toBe(403)
    expect(refused.body).toEqual({
      message: '403 Forbidden - Your account has been blocked.',
    })
    const sudo = await server.inject('GET', '/user', { ...root, query: `sudo=${user.id}` })
    expect(sudo.status).toBe(403)
    const unblocked = await server.inject('POST', `/users/${user.id}/unblock`, root)
    expect([unblocked.status, unblocked.body]).toEqual([201, true])
    expect((await server.inject('GET', '/user', { token: user.token })).status).toBe(200)
  })

  it('returns 403 for oneself and to non-administrators, 404 for an unknown user', async () => {
    const user = await server.buildUser()
    expect((await server.inject('POST', '/users/1/block', root)).status).toBe(403)
    expect((await server.inject('POST', '/users/999999/block', root)).status).toBe(404)
    const own = await server.inject('POST', `/users/${user.id}/block`, { token: user.token })
    expect(own.status).toBe(403)
  })
})
