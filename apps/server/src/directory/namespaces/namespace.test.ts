import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const get = (path: string, token?: string, query = '') =>
  server.inject('GET', path, { ...(token === undefined ? {} : { token }), query })
const paths = (body: Json[]) => body.map((namespace) => namespace.full_path)

describe('GET /namespaces', () => {
  it('lists the personal namespace and the groups of the caller', async () => {
    const user = await server.buildUser()
    const own = await server.buildGroup({}, user)
    const below = await server.buildGroup({ parent_id: own.id }, user)
    const joined = await server.buildGroup()
    await server.addMember(`groups/${joined.id}`, user.id, 10)
    await server.buildGroup({ visibility: 'public' })
    const { status, body } = await get('/namespaces', user.token)
    expect(status).toBe(200)
    expect(paths(body)).toEqual([user.username, own.full_path, below.full_path, joined.full_path])
    expect(body[0]).toEqual({
      id: expect.any(Number),
      name: user.name,
      path: user.username,
      kind: 'user',
      full_path: user.username,
      parent_id: null,
      avatar_url: null,
      web_url: `http://stithy.test/${user.username}`,
      plan: 'ultimate',
    })
    expect(body[1]).toEqual({
      id: own.id,
      name: own.name,
      path: own.path,
      kind: 'group',
      full_path: own.full_path,
      parent_id: null,
      avatar_url: null,
      web_url: `http://stithy.test/groups/${own.full_path}`,
      members_count_with_descendants: 1,
      plan: 'ultimate',
    })
    expect(body[3]).not.toHaveProperty('members_count_with_descendants')
    expect(body[3]).not.toHaveProperty('plan')
  })

  it('counts each user once across all descendants', async () => {
    const owner = await server.buildUser()
    const top = await server.buildGroup({}, owner)
    const below = await server.buildGroup({ parent_id: top.id }, owner)
    const [member, expiring] = [await server.buildUser(), await server.buildUser()]
    for (const group of [top, below]) {
      await server.addMember(`groups/${group.id}`, member.id, 20)
    }
    const today = new Date(server.app.now()).toISOString().slice(0, 10)
    await server.addMember(`groups/${below.id}`, expiring.id, 20, today)
    const count = async () =>
      (await get(`/namespaces/${top.id}`, owner.token)).body.members_count_with_descendants
    expect(await count()).toBe(3)
    server.advance(86_400_000)
    expect(await count()).toBe(2)
  })

  it('shows administrators the member count of every namespace, and no plan in the community tier', async () => {
    const user = await server.buildUser()
    const group = await server.buildGroup({}, user)
    const answer = await get(`/namespaces/${group.id}`, server.root.token)
    expect(answer.body).toMatchObject({ members_count_with_descendants: 1, plan: 'ultimate' })
    const personal = await get(`/namespaces/${user.username}`, server.root.token)
    expect(personal.body.plan).toBe('ultimate')
    const community = await buildTestServer({ tier: 'community' })
    try {
      const free = await community.buildGroup()
      const answer = await community.inject('GET', `/namespaces/${free.id}`, {
        token: community.root.token,
      })
      expect(answer.body).toMatchObject({ members_count_with_descendants: 1 })
      expect(answer.body).not.toHaveProperty('plan')
    } finally {
      await community.close()
    }
  })

  it('lists all to administrators, and searches names and paths for substrings', async () => {
    const user = await server.buildUser({ username: 'needle-user' })
    const group = await server.buildGroup({ name: 'The Needle', path: 'other-path' })
    const asRoot = await get('/namespaces', server.root.token, 'search=NEEDLE')
    expect(paths(asRoot.body)).toEqual([user.username, group.full_path])
    expect(paths((await get('/namespaces', user.token, 'search=needle')).body)).toEqual([
      user.username,
    ])
    expect((await get('/namespaces', user.token, 'search=%25')).body).toEqual([])
  })

  it('lists those in which the caller may create projects, as the setting says', async () => {
    const user = await server.buildUser()
    const groups = new Map<number, Json>()
    for (const level of [20, 30, 40]) {
      const group = await server.buildGroup()
      await server.addMember(`groups/${group.id}`, user.id, level)
      groups.set(level, group)
    }
    const listed = async ({ token }: { token: string } = user) =>
      paths((await get('/namespaces', token, 'permission_scope=create_projects')).body)
    const pathsOf = (...levels: number[]) => levels.map((level) => groups.get(level)?.full_path)
    expect(await listed()).toEqual([user.username, ...pathsOf(30, 40)])
    await setSettings(server, { default_project_creation: 1 })
    expect(await listed()).toEqual([user.username, ...pathsOf(40)])
    await setSettings(server, { default_project_creation: 0 })
    expect(await listed()).toEqual([user.username])
    expect(await listed(server.root)).toEqual(expect.arrayContaining(pathsOf(20, 30, 40)))
    await setSettings(server, { default_project_creation: 2 })
    const external = await server.buildUser({ external: true })
    await server.addMember(`groups/${groups.get(40)?.id}`, external.id, 40)
    expect(await listed(external)).toEqual([])
    const unknown = await get('/namespaces', user.token, 'permission_scope=x')
    expect(unknown.status).toBe(400)
  })

  it('returns 401 without a token', async () => {
    expect((await get('/namespaces')).status).toBe(401)
  })
})

describe('GET /namespaces/:id', () => {
  it('finds by id or path, in any case', async () => {
    const user = await server.buildUser()
    const group = await server.buildGroup({}, user)
    const below = await server.buildGroup({ parent_id: group.id }, user)
    const encoded = encodeURIComponent(below.full_path.toUpperCase())
    for (const ref of [below.id, encoded]) {
      const { body } = await get(`/namespaces/${ref}`, user.token)
      expect(body).toMatchObject({ id: below.id, parent_id: group.id })
    }
    const own = await get(`/namespaces/${user.username}`, user.token)
    expect(own.body.kind).toBe('user')
  })

  it('returns 404 for an unknown or inaccessible namespace', async () => {
    const group = await server.buildGroup()
    const user = await server.buildUser()
    for (const ref of [group.id, 999_999, 'nowhere']) {
      const { status, body } = await get(`/namespaces/${ref}`, user.token)
      expect([status, body]).toEqual([404, { message: '404 Namespace Not Found' }])
    }
    expect((await get(`/namespaces/${group.id}`, server.root.token)).status).toBe(200)
  })
})
