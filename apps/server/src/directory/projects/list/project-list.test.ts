import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function list(query: string, token?: string, path = '/projects') {
  const input = { query: `per_page=100&${query}`, ...(token === undefined ? {} : { token }) }
  return server.inject('GET', path, input)
}

async function ids(query: string, token?: string, path?: string): Promise<number[]> {
  const { status, body } = await list(query, token, path)
  expect(status).toBe(200)
  return body.map((project: Json) => project.id)
}

/** A user with projects, found by a word that occurs nowhere else. */
async function buildFixture(word: string) {
  const user = await server.buildUser()
  const build = (name: string, values: object = {}) =>
    server.buildProject({ name: `${word} ${name}`, ...values }, user)
  return { user, build }
}

describe('GET /projects', () => {
  it('sorts by the newest first, with the id as the last key', async () => {
    const { user, build } = await buildFixture('order')
    const made = [await build('b'), await build('C'), await build('a')].map(({ id }) => id)
    const [b, c, a] = made
    const owned = (query: string) => ids(`owned=true&${query}`, user.token)
    expect(await owned('')).toEqual([a, c, b])
    expect(await owned('sort=asc')).toEqual([b, c, a])
    expect(await owned('order_by=name&sort=asc')).toEqual([a, b, c])
    expect(await owned('order_by=path')).toEqual([c, b, a])
    expect(await owned('order_by=id')).toEqual([a, c, b])
    await server.inject('PUT', `/projects/${b}`, { token: user.token, body: { description: 'x' } })
    expect((await owned('order_by=updated_at'))[0]).toBe(b)
    expect(await owned('order_by=last_activity_at')).toHaveLength(3)
    expect((await list('order_by=owner', user.token)).status).toBe(400)
  })

  it('searches names, paths and descriptions for substrings, in any case', async () => {
    const { user, build } = await buildFixture('search')
    const name = await build('Ünder_score 100')
    const path = await build('second', { path: 'odd.path' })
    const description = await build('third', { description: 'All about 50% of LOBSTERS' })
    const search = (text: string) =>
      ids(`owned=true&search=${encodeURIComponent(text)}&sort=asc`, user.token)
    expect(await search('DER_SC')).toEqual([name.id])
    expect(await search('ünder')).toEqual([name.id])
    expect(await search('DD.PA')).toEqual([path.id])
    expect(await search('lobster')).toEqual([description.id])
    expect(await search('50%')).toEqual([description.id])
    expect(await search('r_s')).toEqual([name.id])
    expect(await search('%')).toEqual([description.id])
    expect(await search('\\')).toEqual([])
    expect(await search('')).toHaveLength(3)
  })

  it('filters by visibility and archived, alone and together', async () => {
    const { user, build } = await buildFixture('filters')
    const hidden = await build('a')
    const open = await build('b', { visibility: 'public' })
    const old = await build('c', { visibility: 'public' })
    await server.inject('POST', `/projects/${old.id}/archive`, { token: user.token })
    const owned = (query: string) => ids(`owned=true&sort=asc&${query}`, user.token)
    expect(await owned('visibility=private')).toEqual([hidden.id])
    expect(await owned('visibility=public')).toEqual([open.id, old.id])
    expect(await owned('archived=true')).toEqual([old.id])
    expect(await owned('archived=false')).toEqual([hidden.id, open.id])
    expect(await owned('archived=False&visibility=public')).toEqual([open.id])
    expect(await owned('')).toEqual([hidden.id, open.id, old.id])
    expect((await list('visibility=secret')).status).toBe(400)
    expect((await list('archived=maybe')).status).toBe(400)
  })

  it('filters by the role of the caller', async () => {
    const { user, build } = await buildFixture('mine')
    const own = await build('own')
    const group = await server.buildGroup()
    const inherited = await server.buildProject({ namespace_id: group.id })
    await server.addMember(`groups/${group.id}`, user.id, 40)
    const direct = await server.buildProject()
    await server.addMember(`projects/${direct.id}`, user.id, 20)
    const shared = await server.buildProject()
    await server.inject('POST', `/projects/${shared.id}/share`, {
      token: server.root.token,
      body: { group_id: group.id, group_access: 30 },
    })
    const open = await server.buildProject({ visibility: 'public' })
    const asked = (query: string) => ids(`${query}&sort=asc`, user.token)
    const mine = [own.id, inherited.id, direct.id, shared.id]
    expect(await asked('membership=true')).toEqual(mine)
    expect(await asked('owned=true')).toEqual([own.id])
    expect(await asked('min_access_level=20')).toEqual(mine)
    expect(await asked('min_access_level=30')).toEqual([own.id, inherited.id, shared.id])
    expect(await asked('min_access_level=40')).toEqual([own.id, inherited.id])
    expect(await asked('min_access_level=50')).toEqual([own.id])
    expect(await asked('membership=true&visibility=public')).toEqual([])
    expect(await asked('')).toContain(open.id)
    expect((await list('min_access_level=99', user.token)).status).toBe(400)
    expect(await ids('membership=true')).toEqual([])
  })

  it('lists projects that the caller has starred', async () => {
    const user = await server.buildUser()
    const [one] = [await server.buildProject({ visibility: 'public' })]
    await server.inject('POST', `/projects/${one.id}/star`, { token: user.token })
    expect(await ids('starred=true', user.token)).toEqual([one.id])
    expect(await ids('starred=true')).toEqual([])
  })

  it('filters by features that the caller can use', async () => {
    const { user, build } = await buildFixture('features')
    const all = await build('all', { visibility: 'public' })
    const members = await build('members', {
      visibility: 'public',
      issues_access_level: 'private',
      merge_requests_access_level: 'private',
    })
    const none = await build('none', {
      visibility: 'public',
      issues_access_level: 'disabled',
      merge_requests_access_level: 'disabled',
    })
    const stranger = await server.buildUser()
    for (const filter of ['with_issues_enabled', 'with_merge_requests_enabled']) {
      const query = `${filter}=true&search=features&sort=asc`
      expect(await ids(query, user.token)).toEqual([all.id, members.id])
      expect(await ids(query, stranger.token)).toEqual([all.id])
      expect(await ids(query)).toEqual([all.id])
      expect(await ids(query, server.root.token)).toEqual([all.id, members.id])
      const off = `${filter}=false&search=features&sort=asc`
      expect(await ids(off, user.token)).toEqual([all.id, members.id, none.id])
    }
  })

  it('filters by programming language', async () => {
    const project = await server.buildProject()
    await server.app.db.run('test.language', { id: project.id }, (db, $) =>
      db
        .insertInto('projectLanguages')
        .values({ projectId: $('id'), language: 'Rust', languageLower: 'rust', bytes: 5 }),
    )
    expect(await ids('with_programming_language=RUST', server.root.token)).toEqual([project.id])
    expect(await ids('with_programming_language=cobol', server.root.token)).toEqual([])
  })

  it('filters by custom attributes, for administrators', async () => {
    const [one, two] = [await server.buildProject(), await server.buildProject()]
    const set = (id: number, key: string, value: string) =>
      server.inject('PUT', `/projects/${id}/custom_attributes/${key}`, {
        token: server.root.token,
        body: { value },
      })
    await set(one.id, 'room', '12')
    await set(one.id, 'floor', '3')
    await set(two.id, 'room', '12')
    const { token } = server.root
    expect(await ids('custom_attributes[room]=12&sort=asc', token)).toEqual([one.id, two.id])
    const both = 'custom_attributes[room]=12&custom_attributes[floor]=3'
    expect(await ids(both, token)).toEqual([one.id])
    expect(await ids('custom_attributes[room]=13', token)).toEqual([])
    const many = Array.from({ length: 21 }, (_, index) => `custom_attributes[k${index}]=v`)
    expect((await list(many.join('&'), token)).status).toBe(400)
    const shown = await list('custom_attributes[floor]=3&with_custom_attributes=true', token)
    expect(shown.body[0].custom_attributes).toEqual([
      { key: 'floor', value: '3' },
      { key: 'room', value: '12' },
    ])
  })

  it('shows the simple shape on request, and always without a token', async () => {
    const { user, build } = await buildFixture('shape')
    await build('one', { visibility: 'public' })
    const [full] = (await list('owned=true&statistics=true', user.token)).body
    expect(full).toMatchObject({ visibility: 'public', statistics: { commit_count: 0 } })
    for (const { body } of [
      await list('owned=true&simple=true', user.token),
      await list('search=shape'),
      await list('search=shape&simple=false'),
    ]) {
      expect(body).toHaveLength(1)
      expect(body[0]).not.toHaveProperty('visibility')
      expect(body[0]).toHaveProperty('star_count')
    }
  })

  it('supports pagination=keyset by id, and rejects other orders', async () => {
    const { user, build } = await buildFixture('keys')
    const made: number[] = []
    for (const name of ['a', 'b', 'c', 'd']) made.push((await build(name)).id)
    const keyset = 'owned=true&pagination=keyset&order_by=id'
    const input = { token: user.token }
    const first = await server.inject('GET', '/projects', {
      ...input,
      query: `${keyset}&sort=asc&per_page=2`,
    })
    expect(first.body.map((project: Json) => project.id)).toEqual(made.slice(0, 2))
    const after = await ids(`${keyset}&sort=asc&id_after=${made[1]}`, user.token)
    expect(after).toEqual(made.slice(2))
    const before = await ids(`${keyset}&id_before=${made[2]}`, user.token)
    expect(before).toEqual([made[1], made[0]])
    expect((await list('pagination=keyset', user.token)).status).toBe(400)
    expect((await list('pagination=keyset&order_by=name', user.token)).status).toBe(400)
    expect((await list('pagination=odd', user.token)).status).toBe(400)
  })

  it('sends pagination headers, and an empty page past the end', async () => {
    const { user, build } = await buildFixture('pages')
    for (const name of ['a', 'b', 'c']) await build(name)
    const query = 'owned=true&per_page=2'
    const first = await server.inject('GET', '/projects', { token: user.token, query })
    expect(first.headers).toMatchObject({
      'x-total': '3',
      'x-total-pages': '2',
      'x-next-page': '2',
    })
    const past = await server.inject('GET', '/projects', {
      token: user.token,
      query: `${query}&page=9`,
    })
    expect([past.status, past.body]).toEqual([200, []])
    expect(past.headers['x-total']).toBe('3')
  })
})

describe('checksum filters of GET /projects', () => {
  it('need the premium tier', async () => {
    const community = await buildTestServer({ tier: 'community' })
    const ask = (filter: string, on = server) =>
      on.inject('GET', '/projects', { token: on.root.token, query: `${filter}=true` })
    try {
      for (const filter of ['wiki_checksum_failed', 'repository_checksum_failed']) {
        expect((await ask(filter, community)).status).toBe(403)
        const open = await ask(filter)
        expect([open.status, open.body]).toEqual([200, []])
      }
      const off = await community.inject('GET', '/projects', {
        token: community.root.token,
        query: 'wiki_checksum_failed=false',
      })
      expect(off.status).toBe(200)
    } finally {
      await community.close()
    }
  })
})

describe('GET /users/:user_id/projects', () => {
  it('lists the personal projects that the caller may see, by id or username', async () => {
    const { user, build } = await buildFixture('personal')
    const [hidden, open] = [await build('a'), await build('b', { visibility: 'public' })]
    await server.buildProject({ visibility: 'public' })
    const stranger = await server.buildUser()
    const path = (ref: string | number) => `/users/${ref}/projects`
    expect(await ids('sort=asc', user.token, path(user.id))).toEqual([hidden.id, open.id])
    const upper = path(user.username.toUpperCase())
    expect(await ids('sort=asc', user.token, upper)).toEqual([hidden.id, open.id])
    expect(await ids('', stranger.token, path(user.id))).toEqual([open.id])
    const anonymous = await list('', undefined, path(user.id))
    expect(anonymous.body).toHaveLength(1)
    expect(anonymous.body[0]).not.toHaveProperty('visibility')
    expect(await ids('visibility=private', user.token, path(user.id))).toEqual([hidden.id])
  })

  it('returns 404 for an unknown user', async () => {
    const { status, body } = await list('', server.root.token, '/users/nobody-here/projects')
    expect([status, body]).toEqual([404, { message: '404 User Not Found' }])
  })
})
