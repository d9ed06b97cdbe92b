import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function star(project: Json, user: TestUser) {
  const { status } = await server.inject('POST', `/projects/${project.id}/star`, {
    token: user.token,
  })
  expect(status).toBe(201)
}

const list = (project: Json, as?: { token: string }, query = '') =>
  server.inject('GET', `/projects/${project.id}/starrers`, {
    ...(as === undefined ? {} : { token: as.token }),
    query,
  })

const idsOf = ({ body }: { body: Json }) => body.map(({ user }: Json) => user.id)

describe('GET /projects/:id/starrers', () => {
  it('lists users with the time of their star, newest first, in pages', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const [first, second] = [await server.buildUser({ name: 'Ada X' }), await server.buildUser()]
    await star(project, first)
    server.advance(1000)
    await star(project, second)
    const { status, body, headers } = await list(project, first)
    expect([status, headers['x-total']]).toEqual([200, '2'])
    const shown = await server.inject('GET', `/users?username=${second.username}`, {
      token: first.token,
    })
    expect(body).toEqual([
      { starred_since: expect.stringMatching(/^\d{4}-.*Z$/), user: shown.body[0] },
      expect.objectContaining({ user: expect.objectContaining({ id: first.id }) }),
    ])
    expect(idsOf(await list(project, first, 'per_page=1&page=2'))).toEqual([first.id])
    expect(idsOf(await list(project, first, 'search=ada%20x'))).toEqual([first.id])
    const byUsername = await list(project, first, `search=${second.username.toUpperCase()}`)
    expect(idsOf(byUsername)).toEqual([second.id])
  })

  it('hides private profiles from others, and blocked users', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const hidden = await server.buildUser({ private_profile: true })
    const blocked = await server.buildUser()
    const user = await server.buildUser()
    for (const each of [hidden, blocked, user]) await star(project, each)
    const { token } = server.root
    await server.inject('POST', `/users/${blocked.id}/block`, { token })
    expect(idsOf(await list(project, user))).toEqual([user.id])
    expect((await list(project, user)).headers['x-total']).toBe('1')
    expect(new Set(idsOf(await list(project, hidden)))).toEqual(new Set([user.id, hidden.id]))
    expect(idsOf(await list(project, server.root))).toHaveLength(2)
  })

  it('returns 404 for a hidden project, and 401 without a token', async () => {
    const project = await server.buildProject()
    expect((await list(project, await server.buildUser())).status).toBe(404)
    expect((await list(await server.buildProject({ visibility: 'public' }))).status).toBe(401)
  })
})
