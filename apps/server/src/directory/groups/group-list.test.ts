import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function list(query: string, token?: string, path = '/groups') {
  const input = { query: `per_page=100&${query}`, ...(token === undefined ? {} : { token }) }
  return server.inject('GET', path, input)
}

async function ids(query: string, token?: string, path?: string): Promise<number[]> {
  const { status, body } = await list(query, token, path)
  expect(status).toBe(200)
  return body.map((entry: Json) => entry.id)
}

describe('GET /groups', () => {
  it('lists the groups of the caller, or with all_available every visible one', async () => {
    const user = await server.buildUser()
    const own = await server.buildGroup({ name: 'Reach own' }, user)
    const below = await server.buildGroup({ name: 'Reach sub', parent_id: own.id }, user)
    const open = await server.buildGroup({ name: 'Reach open', visibility: 'public' })
    const inside = await server.buildGroup({ name: 'Reach inside', visibility: 'internal' })
    const hidden = await server.buildGroup({ name: 'Reach hidden' })
    const listIds = (query: string, token?: string) =>
      ids(`search=reach&order_by=id&${query}`, token)
    expect(await listIds('', user.token)).toEqual([own.id, below.id])
    const visible = [own.id, below.id, open.id, inside.id]
    expect(await listIds('all_available=true', user.token)).toEqual(visible)
    expect(await listIds('', server.root.token)).toEqual([...visible, hidden.id])
    const rootOnly = await listIds('all_available=false', server.root.token)
    expect(rootOnly).toEqual([open.id, inside.id, hidden.id])
    expect(await listIds('')).toEqual([open.id])
    const external = await server.buildUser({ external: true })
    expect(await listIds('all_available=true', external.token)).toEqual([open.id])
  })

  it('prefers owned and min_access_level to all_available', async () => {
    const user = await server.buildUser()
    const own = await server.buildGroup({}, user)
    const joined = await server.buildGroup({ visibility: 'public' })
    await server.addMember(`groups/${joined.id}`, user.id, 30)
    const below = await server.buildGroup({ parent_id: joined.id })
    const listIds = (query: string) => ids(`order_by=id&${query}`, user.token)
    expect(await listIds('owned=true&all_available=true')).toEqual([own.id])
    expect(await listIds('min_access_level=30')).toEqual([own.id, joined.id, below.id])
    expect(await listIds('min_access_level=40')).toEqual([own.id])
    expect(await listIds('min_access_level=10&owned=true')).toEqual([own.id])
    const skipped = await listIds(`skip_groups[]=${joined.id}&skip_groups[]=${own.id}`)
    expect(skipped).toEqual([below.id])
  })

  it('sorts by name, path and id', async () => {
    const user = await server.buildUser()
    const make = (name: string, path: string) => server.buildGroup({ name, path }, user)
    const b = await make('b sort', 'zz-sort')
    const a = await make('A sort', 'yy-sort')
    const c = await make('C sort', 'xx-sort')
    const sorted = (query: string) => ids(query, user.token)
    expect(await sorted('')).toEqual([a.id, b.id, c.id])
    expect(await sorted('sort=desc')).toEqual([c.id, b.id, a.id])
    expect(await sorted('order_by=path')).toEqual([c.id, a.id, b.id])
    expect(await sorted('order_by=id&sort=desc')).toEqual([c.id, a.id, b.id])
    expect((await list('order_by=created_at', user.token)).status).toBe(400)
  })

  it('searches names and paths for substrings, with wildcards taken literally', async () => {
    const user = await server.buildUser()
    const one = await server.buildGroup({ name: 'Alpha_x', path: 'first-find' }, user)
    const two = await server.buildGroup({ name: 'AlphaYx', path: 'second-find' }, user)
    const find = (search: string) => ids(`order_by=id&search=${search}`, user.token)
    expect(await find('ALPHA')).toEqual([one.id, two.id])
    expect(await find('a_x')).toEqual([one.id])
    expect(await find('COND-F')).toEqual([two.id])
    expect(await find('%25')).toEqual([])
  })

  it('shows statistics and custom attributes to administrators only', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const project = await server.buildProject({ namespace_id: group.id })
    await server.app.db.run('test.size', { id: project.id }, (db, $) =>
      db
        .updateTable('projectStatistics')
        .set({ storageSize: 7, repositorySize: 5 })
        .where('projectId', '=', $('id')),
    )
    const path = `/groups/${group.id}/custom_attributes/k`
    await server.inject('PUT', path, { token: server.root.token, body: { value: 'v' } })
    const query = 'statistics=true&with_custom_attributes=true&custom_attributes[k]=v'
    const asRoot = (await list(query, server.root.token)).body
    expect(asRoot).toMatchObject([
      {
        id: group.id,
        statistics: { storage_size: 7, repository_size: 5, wiki_size: 0 },
        custom_attributes: [{ key: 'k', value: 'v' }],
      },
    ])
    const asUser = (await list(`${query}&all_available=true`, (await server.buildUser()).token))
      .body
    expect(asUser.map((entry: Json) => entry.id)).toContain(group.id)
    for (const entry of asUser) {
      expect(entry).not.toHaveProperty('statistics')
      expect(entry).not.toHaveProperty('custom_attributes')
    }
  })

  it('supports pagination=keyset by id, and rejects other orders', async () => {
    const user = await server.buildUser()
    const [a, b] = [await server.buildGroup({}, user), await server.buildGroup({}, user)]
    const keyset = 'pagination=keyset&order_by=id'
    expect(await ids(`${keyset}&id_after=${a.id}`, user.token)).toEqual([b.id])
    expect(await ids(`${keyset}&id_before=${b.id}`, user.token)).toEqual([a.id])
    expect((await list('pagination=keyset', user.token)).status).toBe(400)
  })

  it('needs the same number of queries for 1 group and for 30', async () => {
    const user = await server.buildUser()
    await server.buildGroup({}, user)
    const cost = async () => {
      const before = server.app.db.stats.queries
      const { body } = await list('', user.token)
      return [body.length, server.app.db.stats.queries - before]
    }
    const [, few] = await cost()
    for (let index = 0; index < 29; index += 1) await server.buildGroup({}, user)
    expect(await cost()).toEqual([30, few])
    expect(few).toBeLessThanOrEqual(6)
  })
})

describe('GET /groups/:id/subgroups', () => {
  it('lists direct subgroups that the caller may see', async () => {
    const top = await server.buildGroup({ visibility: 'public' })
    const open = await server.buildGroup({ parent_id: top.id, visibility: 'public' })
    const hidden = await server.buildGroup({ parent_id: top.id })
    await server.buildGroup({ parent_id: open.id, visibility: 'public' })
    const path = `/groups/${top.id}/subgroups`
    expect(await ids('order_by=id', server.root.token, path)).toEqual([open.id, hidden.id])
    expect(await ids('', undefined, path)).toEqual([open.id])
    const user = await server.buildUser()
    expect(await ids('all_available=true', user.token, path)).toEqual([open.id])
    await server.addMember(`groups/${top.id}`, user.id, 10)
    expect(await ids('order_by=id', user.token, path)).toEqual([open.id, hidden.id])
    const skip = `skip_groups[]=${open.id}`
    expect(await ids(skip, user.token, path)).toEqual([hidden.id])
  })

  it('returns 404 for a hidden parent', async () => {
    const hidden = await server.buildGroup()
    const { status } = await list('', undefined, `/groups/${hidden.id}/subgroups`)
    expect(status).toBe(404)
  })
})

describe('GET /groups/:id/projects', () => {
  it('lists projects of the group, with shared ones and those of subgroups on request', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const below = await server.buildGroup({ parent_id: group.id, visibility: 'public' })
    const own = await server.buildProject({ namespace_id: group.id, visibility: 'public' })
    const hidden = await server.buildProject({ namespace_id: group.id })
    const deep = await server.buildProject({ namespace_id: below.id, visibility: 'public' })
    const shared = await server.buildProject({ visibility: 'public' })
    await server.inject('POST', `/projects/${shared.id}/share`, {
      token: server.root.token,
      body: { group_id: group.id, group_access: 10 },
    })
    const path = `/groups/${group.id}/projects`
    const listIds = (query: string, token = server.root.token) =>
      ids(`order_by=id&sort=asc&${query}`, token, path)
    expect(await listIds('')).toEqual([own.id, hidden.id, shared.id])
    expect(await listIds('with_shared=false')).toEqual([own.id, hidden.id])
    expect(await listIds('include_subgroups=true')).toEqual([own.id, hidden.id, deep.id, shared.id])
    expect(await listIds('include_subgroups=true&with_shared=false&visibility=public')).toEqual([
      own.id,
      deep.id,
    ])
    const anonymous = await list('', undefined, path)
    expect(anonymous.body.map((entry: Json) => entry.id)).toEqual([shared.id, own.id])
    expect(anonymous.body[0]).not.toHaveProperty('visibility')
    const full = (await list('', server.root.token, path)).body[0]
    for (const field of ['namespace', 'creator_id', 'shared_with_groups', 'public_jobs']) {
      expect(full).toHaveProperty(field)
    }
    expect((await list('simple=true', server.root.token, path)).body[0]).not.toHaveProperty(
      'namespace',
    )
  })

  it('pages through projects of the group and shared ones in one order', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const below = await server.buildGroup({ parent_id: group.id, visibility: 'public' })
    const made: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const isShared = name === 'b' || name === 'e'
      const namespace_id = name === 'c' ? below.id : group.id
      const values = { name, visibility: 'public' as const }
      const project = await server.buildProject(isShared ? values : { ...values, namespace_id })
      made.push(project.id)
      if (!isShared) continue
      await server.inject('POST', `/projects/${project.id}/share`, {
        token: server.root.token,
        body: { group_id: group.id, group_access: 10 },
      })
    }
    const path = `/groups/${group.id}/projects`
    const allPages = async (query: string) => {
      const pages: number[] = []
      for (const page of [1, 2, 3, 4]) {
        pages.push(...(await ids(`${query}&per_page=2&page=${page}`, server.root.token, path)))
      }
      return pages
    }
    for (const order of ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at']) {
      const query = `order_by=${order}&sort=asc&include_subgroups=true`
      const whole = await ids(query, server.root.token, path)
      expect([order, whole.toSorted((a, b) => a - b)]).toEqual([order, made])
      expect([order, await allPages(query)]).toEqual([order, whole])
    }
    expect(await allPages('order_by=name&sort=asc&include_subgroups=true')).toEqual(made)
    const direct = made.filter((_, index) => index !== 2)
    expect(await allPages('order_by=id&sort=asc')).toEqual(direct)
    const { headers } = await list('per_page=2', server.root.token, path)
    expect(headers['x-total']).toBe('5')
  })

  it('filters by owned, starred, search, features and archived', async () => {
    const group = await server.buildGroup()
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 30)
    const build = (name: string, values = {}) =>
      server.buildProject({ name, namespace_id: group.id, ...values })
    const plain = await build('plain')
    const closed = await build('closed', { issues_enabled: false, merge_requests_enabled: false })
    await server.inject('POST', `/projects/${closed.id}/archive`, { token: server.root.token })
    await server.inject('POST', `/projects/${plain.id}/star`, { token: user.token })
    const path = `/groups/${group.id}/projects`
    const listIds = (query: string) => ids(`order_by=id&sort=asc&${query}`, user.token, path)
    expect(await listIds('owned=true')).toEqual([])
    expect(await listIds('starred=true')).toEqual([plain.id])
    expect(await listIds('search=CLOS')).toEqual([closed.id])
    expect(await listIds('with_issues_enabled=true')).toEqual([plain.id])
    expect(await listIds('with_merge_requests_enabled=true')).toEqual([plain.id])
    expect(await listIds('archived=true')).toEqual([closed.id])
    expect(await listIds('min_access_level=30')).toEqual([plain.id, closed.id])
    expect(await listIds('min_access_level=40')).toEqual([])
    expect(await ids('order_by=name&sort=asc', user.token, path)).toEqual([closed.id, plain.id])
  })
})
