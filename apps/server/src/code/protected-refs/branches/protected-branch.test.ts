import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../../testing/clients/calls.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { dayAfter } from '../../../testing/members.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let project: Json
let developer: TestUser
let maintainer: TestUser

beforeAll(async () => {
  server = await buildTestServer()
  developer = await server.buildUser({ name: 'Dora' })
  maintainer = await server.buildUser({ name: 'Mina' })
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
})

const at = (path = '') => `/projects/${project.id}/protected_branches${path}`
const protect = (body: object, token = maintainer.token) =>
  server.inject('POST', at(), { token, body })
const call = (method: string, path = '', token = maintainer.token) =>
  callAs(server, method, at(path), token)

const level = (accessLevel: number, description: string) => ({
  access_level: accessLevel,
  user_id: null,
  group_id: null,
  access_level_description: description,
})
const maintainers = level(40, 'Maintainers')

describe('POST /projects/:id/protected_branches', () => {
  it('protects a branch for maintainers, and shows who may unprotect it', async () => {
    const { status, body } = await protect({ name: 'master' })
    expect([status, body]).toEqual([
      201,
      {
        name: 'master',
        push_access_levels: [maintainers],
        merge_access_levels: [maintainers],
        unprotect_access_levels: [maintainers],
      },
    ])
  })

  it('accepts levels as numbers and as strings, each with its description', async () => {
    const { body } = await protect({
      name: '*-stable',
      push_access_level: '0',
      merge_access_level: 30,
      unprotect_access_level: '60',
    })
    expect(body.push_access_levels).toEqual([level(0, 'No one')])
    expect(body.merge_access_levels).toEqual([level(30, 'Developers + Maintainers')])
    expect(body.unprotect_access_levels).toEqual([level(60, 'Administrators')])
  })

  it('accepts forms, with an element for each repeated key', async () => {
    const form = [
      'name=release%2F*',
      'push_access_level=30',
      `allowed_to_merge[][user_id]=${developer.id}`,
      `allowed_to_merge[][user_id]=${maintainer.id}`,
      'merge_access_level=40',
      'unprotect_access_level=',
    ].join('&')
    const { status, body } = await server.inject('POST', at(), { token: maintainer.token, form })
    expect([status, body.name]).toEqual([201, 'release/*'])
    expect(body.push_access_levels).toEqual([level(30, 'Developers + Maintainers')])
    const user = (id: number, name: string) => ({
      access_level: null,
      user_id: id,
      group_id: null,
      access_level_description: name,
    })
    expect(body.merge_access_levels).toEqual([
      maintainers,
      user(developer.id, 'Dora'),
      user(maintainer.id, 'Mina'),
    ])
    expect(body.unprotect_access_levels).toEqual([maintainers])
  })

  it('accepts groups that the project is shared with, and stores each entry once', async () => {
    const group = await server.buildGroup({ name: 'Crew' })
    await server.inject('POST', `/projects/${project.id}/share`, {
      token: server.root.token,
      body: { group_id: group.id, group_access: 30 },
    })
    const { body } = await protect({
      name: 'x',
      push_access_level: 0,
      allowed_to_push: [{ group_id: group.id }, { access_level: 0 }, { group_id: group.id }],
    })
    expect(body.push_access_levels).toEqual([
      level(0, 'No one'),
      {
        access_level: null,
        user_id: null,
        group_id: group.id,
        access_level_description: 'Crew',
      },
    ])
  })

  it('returns 400 with the field for a non-member, or a group without a share', async () => {
    const stranger = await server.buildUser()
    const group = await server.buildGroup()
    const lapsed = await server.buildUser()
    await server.addMember(`projects/${project.id}`, lapsed.id, 30, dayAfter(server, 0))
    const bad = [{ user_id: stranger.id }, { user_id: 999_999 }, { group_id: group.id }]
    const { status, body } = await protect({ name: 'x', allowed_to_push: bad })
    expect([status, body]).toEqual([
      400,
      {
        message: {
          allowed_to_push: [
            `user ${stranger.id} has no access to the project`,
            'user 999999 has no access to the project',
            `the project is not shared with group ${group.id}`,
          ],
        },
      },
    ])
    expect((await call('GET')).body).toEqual([])
    const good = [{ user_id: lapsed.id }, { user_id: server.root.id }]
    expect((await protect({ name: 'x', allowed_to_push: good })).status).toBe(201)
  })

  it('recognises members through ancestor groups and shared groups', async () => {
    const group = await server.buildGroup()
    const inner = await server.buildProject({ namespace_id: group.id })
    const above = await server.buildUser()
    await server.addMember(`groups/${group.id}`, above.id, 30)
    const other = await server.buildGroup()
    const shared = await server.buildUser()
    await server.addMember(`groups/${other.id}`, shared.id, 30)
    await server.inject('POST', `/projects/${inner.id}/share`, {
      token: server.root.token,
      body: { group_id: other.id, group_access: 30 },
    })
    const body = { name: 'x', allowed_to_push: [{ user_id: above.id }, { user_id: shared.id }] }
    const answer = await server.inject('POST', `/projects/${inner.id}/protected_branches`, {
      token: server.root.token,
      body,
    })
    expect(answer.status).toBe(201)
  })

  it('returns 409 with the name when it is protected already', async () => {
    await protect({ name: 'x*' })
    const answer = await protect({ name: 'x*' })
    expect([answer.status, answer.body]).toEqual([
      409,
      { message: "Protected branch 'x*' already exists" },
    ])
    expect((await protect({ name: 'xy' })).status).toBe(201)
  })

  it.each([
    [{}, 'name is missing'],
    [{ name: '' }, 'name is empty'],
    [{ name: 'x', push_access_level: 50 }, 'push_access_level does not have a valid value'],
    [{ name: 'x', merge_access_level: 'all' }, 'merge_access_level does not have a valid value'],
    [{ name: 'x', allowed_to_push: 'me' }, 'allowed_to_push is invalid'],
    [{ name: 'x', allowed_to_push: [{}] }, 'allowed_to_push is invalid'],
    [{ name: 'x', allowed_to_push: [{ user_id: 1, group_id: 1 }] }, 'allowed_to_push is invalid'],
    [
      { name: 'x', allowed_to_push: [{ access_level: 20 }] },
      'allowed_to_push[access_level] does not have a valid value',
    ],
    [{ name: 'x', allowed_to_push: [{ user_id: 'me' }] }, 'allowed_to_push[user_id] is invalid'],
    [{ name: 'x', allowed_to_push: [7] }, 'allowed_to_push is invalid'],
  ])('answers 400 for %j', async (body, error) => {
    const answer = await protect(body)
    expect([answer.status, answer.body]).toEqual([400, { error }])
  })

  it.each(['a b', '-x', 'a..b', 'refs/heads/*', 'HEAD', 'x.lock'])(
    'returns 400 for the name %s',
    async (name) => {
      const answer = await protect({ name })
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: { name: ['is not a branch name or wildcard'] } },
      ])
    },
  )

  it('requires the Maintainer role, and returns 403 in archived projects', async () => {
    expect((await protect({ name: 'x' }, developer.token)).status).toBe(403)
    const stranger = await server.buildUser()
    expect((await protect({ name: 'x' }, stranger.token)).status).toBe(404)
    expect((await server.inject('POST', at(), { body: { name: 'x' } })).status).toBe(401)
    await server.inject('POST', `/projects/${project.id}/archive`, { token: server.root.token })
    expect((await protect({ name: 'x' })).status).toBe(403)
    expect((await call('GET')).status).toBe(200)
  })
})

describe('GET /projects/:id/protected_branches', () => {
  it('lists them by name, in pages, without unprotect levels', async () => {
    for (const name of ['b', 'a*', 'c/d']) await protect({ name })
    const { status, body, headers } = await call('GET')
    expect([status, headers['x-total']]).toEqual([200, '3'])
    expect(body.map((entry: Json) => entry.name)).toEqual(['a*', 'b', 'c/d'])
    expect(body[0]).toEqual({
      name: 'a*',
      push_access_levels: [maintainers],
      merge_access_levels: [maintainers],
    })
    const second = await server.inject('GET', at(), {
      token: maintainer.token,
      query: 'per_page=1&page=2',
    })
    expect(second.body.map((entry: Json) => entry.name)).toEqual(['b'])
    expect((await call('GET', '', developer.token)).status).toBe(403)
  })

  it('takes the same number of queries for any number of entries', async () => {
    const count = async () => {
      await call('GET')
      const before = server.app.db.stats.queries
      await call('GET')
      return server.app.db.stats.queries - before
    }
    await protect({ name: 'a' })
    const few = await count()
    for (let n = 0; n < 8; n += 1) await protect({ name: `b${n}`, push_access_level: 30 })
    expect(await count()).toBe(few)
  })
})

describe('GET /projects/:id/protected_branches/:name', () => {
  it('shows a protection by the name that it was created with', async () => {
    await protect({ name: 'release/*' })
    await protect({ name: '*' })
    for (const path of ['/release%2F*', '/release%2F%2A', '/*', '/%2A']) {
      const { status, body } = await call('GET', path)
      expect([path, status, Object.keys(body)]).toEqual([
        path,
        200,
        ['name', 'push_access_levels', 'merge_access_levels', 'unprotect_access_levels'],
      ])
    }
  })

  it.each(['/release%2F1', '/none', '/%00', '/a%20b', `/${'x'.repeat(2000)}`])(
    'returns 404 for %s',
    async (path) => {
      await protect({ name: 'release/*' })
      const { status, body } = await call('GET', path)
      expect([status, body]).toEqual([404, { message: '404 Protected Branch Not Found' }])
    },
  )
})

describe('allowed_to_* below the tier', () => {
  it('returns 403', async () => {
    const small = await buildTestServer({ tier: 'community' })
    try {
      const { id } = await small.buildProject()
      const { token } = small.root
      const path = `/projects/${id}/protected_branches`
      const body = { name: 'x', allowed_to_push: [{ user_id: 1 }] }
      expect((await small.inject('POST', path, { token, body })).status).toBe(403)
      const plain = { name: 'x', push_access_level: 30 }
      expect((await small.inject('POST', path, { token, body: plain })).status).toBe(201)
    } finally {
      await small.close()
    }
  })
})
