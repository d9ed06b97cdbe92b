import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTree, dayAfter, dayMs, levelsOf } from '../../testing/members.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const day = (offset: number) => dayAfter(server, offset)
const call = (method: string, path: string, token?: string, body?: unknown) =>
  callAs(server, method, path, token, body)

describe.each(['projects', 'groups'] as const)('members of %s', (kind) => {
  const build = async () => {
    const owner = await server.buildUser()
    const source =
      kind === 'projects'
        ? await server.buildProject({}, owner)
        : await server.buildGroup({}, owner)
    return { owner, path: `/${kind}/${source.id}/members`, source }
  }

  it('adds, shows, updates and removes a member', async () => {
    const { owner, path } = await build()
    const user = await server.buildUser()
    const body = { user_id: user.id, access_level: 20, expires_at: day(5) }
    const added = await call('POST', path, owner.token, body)
    expect(added.status).toBe(201)
    expect(added.body).toEqual({
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      avatar_url: null,
      web_url: `http://stithy.test/${user.username}`,
      access_level: 20,
      expires_at: day(5),
    })
    const one = `${path}/${user.id}`
    expect((await call('GET', one, user.token)).body).toEqual(added.body)
    const raised = await call('PUT', one, owner.token, { access_level: 30 })
    expect(raised.body).toMatchObject({ access_level: 30, expires_at: day(5) })
    const expires_at = `${day(6)}T00:00:00Z`
    const later = await call('PUT', one, owner.token, { access_level: 30, expires_at })
    expect(later.body.expires_at).toBe(day(6))
    const cleared = await call('PUT', one, owner.token, { access_level: '30', expires_at: '' })
    expect(cleared.body.expires_at).toBeNull()
    const removed = await call('DELETE', one, owner.token)
    expect([removed.status, removed.text]).toEqual([204, ''])
    const deleted = await call('GET', one, owner.token)
    expect([deleted.status, deleted.body]).toEqual([404, { message: '404 Member Not Found' }])
    expect((await call('DELETE', one, owner.token)).status).toBe(404)
    expect((await call('PUT', one, owner.token, { access_level: 10 })).status).toBe(404)
  })

  it('returns 409 for an existing member, 404 for an unknown user, 400 for invalid values', async () => {
    const { owner, path } = await build()
    const user = await server.buildUser()
    const add = (body: unknown) => call('POST', path, owner.token, body)
    await add({ user_id: user.id, access_level: 10 })
    const twice = await add({ user_id: user.id, access_level: 30 })
    expect([twice.status, twice.body]).toEqual([409, { message: 'Member already exists' }])
    const nobody = await add({ user_id: 99_999, access_level: 10 })
    expect([nobody.status, nobody.body]).toEqual([404, { message: '404 User Not Found' }])
    const bad: [unknown, string][] = [
      [{ access_level: 10 }, 'user_id is missing'],
      [{ user_id: user.id }, 'access_level is missing'],
      [{ user_id: user.id, access_level: 15 }, 'access_level does not have a valid value'],
      [{ user_id: user.id, access_level: 60 }, 'access_level does not have a valid value'],
      [{ user_id: 'x', access_level: 10 }, 'user_id is invalid'],
      [{ user_id: user.id, access_level: 10, expires_at: 'soon' }, 'expires_at is invalid'],
    ]
    for (const [body, error] of bad) {
      const answer = await add(body)
      expect([answer.status, answer.body]).toEqual([400, { error }])
    }
    const other = await server.buildUser()
    const past = await add({ user_id: other.id, access_level: 10, expires_at: '2020-01-01' })
    expect(past.body).toEqual({ message: { expires_at: ['cannot be a date in the past'] } })
  })

  it('lists direct members, by name or username', async () => {
    const { owner, path, source } = await build()
    const user = await server.buildUser({ name: 'Zelda Quux', username: 'uname-findme' })
    await server.addMember(`${kind}/${source.id}`, user.id, 10)
    const list = await server.inject('GET', path, { token: owner.token })
    expect(list.headers['x-total']).toBe('2')
    expect(list.body.map((member: Json) => member.id)).toEqual([owner.id, user.id])
    for (const query of ['query=QUUX', 'query=findme']) {
      const found = await server.inject('GET', path, { token: owner.token, query })
      expect(found.body.map((member: Json) => member.id)).toEqual([user.id])
    }
    await call('DELETE', `${path}/${user.id}`, owner.token)
    await call('DELETE', `/users/${user.id}`, server.root.token)
    await server.runJobs()
  })

  it('is readable for members, and writable for administrators of the source', async () => {
    const { owner, path, source } = await build()
    const guest = await server.buildUser()
    const developer = await server.buildUser()
    await server.addMember(`${kind}/${source.id}`, guest.id, 10)
    await server.addMember(`${kind}/${source.id}`, developer.id, 30)
    const stranger = await server.buildUser()
    const body = { user_id: stranger.id, access_level: 10 }
    expect((await call('GET', path)).status).toBe(401)
    expect((await call('GET', path, stranger.token)).status).toBe(404)
    expect((await call('GET', path, guest.token)).status).toBe(200)
    expect((await call('POST', path, undefined, body)).status).toBe(401)
    expect((await call('POST', path, stranger.token, body)).status).toBe(404)
    expect((await call('POST', path, developer.token, body)).status).toBe(403)
    const other = `${path}/${guest.id}`
    expect((await call('PUT', other, developer.token, { access_level: 20 })).status).toBe(403)
    expect((await call('DELETE', other, developer.token)).status).toBe(403)
    expect((await call('DELETE', `${path}/${developer.id}`, developer.token)).status).toBe(204)
    expect((await call('DELETE', other, owner.token)).status).toBe(204)
  })

  it('neither counts nor lists expired memberships', async () => {
    const { owner, path, source } = await build()
    const user = await server.buildUser()
    await server.addMember(`${kind}/${source.id}`, user.id, 20, day(0))
    expect((await call('GET', path, user.token)).body).toHaveLength(2)
    server.advance(dayMs)
    expect((await call('GET', path, user.token)).status).toBe(404)
    expect((await call('GET', path, owner.token)).body).toHaveLength(1)
    expect((await call('GET', `${path}/${user.id}`, owner.token)).status).toBe(404)
  })
})

describe.each(['projects', 'groups'] as const)('expired members of %s', (kind) => {
  it('are absent in every endpoint, and can be added again', async () => {
    const owner = await server.buildUser()
    const source =
      kind === 'projects'
        ? await server.buildProject({}, owner)
        : await server.buildGroup({}, owner)
    const path = `/${kind}/${source.id}/members`
    const user = await server.buildUser()
    await server.addMember(`${kind}/${source.id}`, user.id, 30, day(0))
    server.advance(dayMs)
    const one = `${path}/${user.id}`
    const changed = await call('PUT', one, owner.token, { access_level: 20 })
    expect([changed.status, changed.body]).toEqual([404, { message: '404 Member Not Found' }])
    expect((await call('DELETE', one, owner.token)).status).toBe(404)
    const again = await call('POST', path, owner.token, { user_id: user.id, access_level: 10 })
    expect(again.status).toBe(201)
    expect(again.body).toMatchObject({ access_level: 10, expires_at: null })
    expect((await call('DELETE', one, owner.token)).status).toBe(204)
  })
})

describe('members of projects', () => {
  it('have levels from 10 to 40', async () => {
    const project = await server.buildProject()
    const user = await server.buildUser()
    const body = { user_id: user.id, access_level: 50 }
    const answer = await call('POST', `/projects/${project.id}/members`, server.root.token, body)
    expect(answer.status).toBe(400)
  })

  it('keep the owner of the personal namespace', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const path = `/projects/${project.id}/members/${owner.id}`
    for (const token of [owner.token, server.root.token]) {
      expect((await call('DELETE', path, token)).status).toBe(403)
      expect((await call('PUT', path, token, { access_level: 10 })).status).toBe(403)
    }
  })

  it('record the events joined and left', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const user = await server.buildUser()
    await server.addMember(`projects/${project.id}`, user.id, 20)
    await call('DELETE', `/projects/${project.id}/members/${user.id}`, user.token)
    const events = await call('GET', `/projects/${project.id}/events`, owner.token)
    expect(events.body.map((event: Json) => [event.action_name, event.author_id])).toEqual([
      ['left', user.id],
      ['joined', user.id],
      ['created', owner.id],
    ])
  })

  it('include inherited ones in /all, each once, with the nearest level', async () => {
    const { owner, group, below, project } = await buildTree(server)
    const [top, near, both] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    await server.addMember(`groups/${group.id}`, top.id, 20)
    await server.addMember(`groups/${below.id}`, near.id, 30)
    await server.addMember(`groups/${group.id}`, both.id, 10)
    await server.addMember(`projects/${project.id}`, both.id, 30)
    const path = `/projects/${project.id}/members`
    const all = await call('GET', `${path}/all`, owner.token)
    expect(levelsOf(all.body)).toEqual({
      [owner.id]: 50,
      [top.id]: 20,
      [near.id]: 30,
      [both.id]: 30,
    })
    expect(all.headers['x-total']).toBe('4')
    expect(levelsOf((await call('GET', path, owner.token)).body)).toEqual({ [both.id]: 30 })
    expect((await call('GET', `${path}/${top.id}`, owner.token)).status).toBe(404)
    const one = await call('GET', `${path}/all/${top.id}`, owner.token)
    expect([one.status, one.body.access_level]).toEqual([200, 20])
    const stranger = await server.buildUser()
    expect((await call('GET', `${path}/all/${stranger.id}`, owner.token)).status).toBe(404)
    const users = await call('GET', `/projects/${project.id}/users`, owner.token)
    expect(users.body).toHaveLength(4)
    expect(users.body[0]).not.toHaveProperty('access_level')
    const found = await server.inject('GET', `/projects/${project.id}/users`, {
      token: owner.token,
      query: `search=${near.username}`,
    })
    expect(found.body.map((user: Json) => user.id)).toEqual([near.id])
  })

  it('cannot have a lower level than an inherited one', async () => {
    const { owner, group, project } = await buildTree(server)
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 30)
    const path = `/projects/${project.id}/members`
    const low = await call('POST', path, owner.token, { user_id: user.id, access_level: 20 })
    expect(low.status).toBe(400)
    expect(low.body.message.access_level).toEqual([
      'should be greater than or equal to Developer inherited membership from group Treetop',
    ])
    const high = await call('POST', path, owner.token, { user_id: user.id, access_level: 40 })
    expect(high.status).toBe(201)
    const one = `${path}/${user.id}`
    expect((await call('PUT', one, owner.token, { access_level: 20 })).status).toBe(400)
  })

  it('cannot be added when an ancestor group locks memberships', async () => {
    const { owner, group, below, project } = await buildTree(server)
    const user = await server.buildUser()
    const body = { user_id: user.id, access_level: 20 }
    for (const id of [below.id, group.id]) {
      await call('PUT', `/groups/${id}`, owner.token, { membership_lock: true })
      const answer = await call('POST', `/projects/${project.id}/members`, owner.token, body)
      expect(answer.status).toBe(405)
      await call('PUT', `/groups/${id}`, owner.token, { membership_lock: false })
    }
    await call('PUT', `/groups/${group.id}`, owner.token, { membership_lock: true })
    expect((await call('POST', `/groups/${group.id}/members`, owner.token, body)).status).toBe(201)
  })
})
