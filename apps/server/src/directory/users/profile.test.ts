/*
 * What holds of `PUT /user`: users change what they say of themselves, and nothing that
 * administrators decide; refusals are 400 by field; an empty picture removes it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const put = (token: string | undefined, body: object) =>
  server.inject('PUT', '/user', { ...(token === undefined ? {} : { token }), body })

describe('PUT /user', () => {
  it('changes the profile of the caller alone', async () => {
    const [user, other] = [await server.buildUser(), await server.buildUser()]
    const changes = { name: 'New name', bio: 'A bio', private_profile: true, theme_id: 11 }
    const answer = await put(user.token, { ...changes, admin: true, projects_limit: 7 })
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, ...changes } })
    expect(answer.body.projects_limit).not.toBe(7)
    expect(answer.body).not.toHaveProperty('is_admin')
    const { body } = await server.inject('GET', '/user', { token: other.token })
    expect(body).toMatchObject({ bio: null, theme_id: 1 })
  })

  it('moves the personal projects with the username, unless it is taken', async () => {
    const [user, other] = [await server.buildUser(), await server.buildUser()]
    const project = await server.buildProject({ name: 'own' }, user)
    const refused = await put(user.token, { username: other.username.toUpperCase() })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      { username: ['has already been taken'] },
    ])
    expect((await put(user.token, { username: 'renamed' })).body.username).toBe('renamed')
    const { body } = await server.inject('GET', `/projects/${project.id}`, { token: user.token })
    expect(body.path_with_namespace).toBe('renamed/own')
  })

  it.each([{ name: '' }, { theme_id: 2 }, { public_email: 'x' }, { username: '-' }])(
    'returns 400 for %o',
    async (body) => {
      expect((await put((await server.buildUser()).token, body)).status).toBe(400)
    },
  )

  it('returns 401 without a token', async () => {
    expect((await put(undefined, { bio: 'x' })).status).toBe(401)
  })
})

describe('GET /projects with ids', () => {
  it('lists those of the named projects that the caller may see', async () => {
    const [user, other] = [await server.buildUser(), await server.buildUser()]
    const own = await server.buildProject({ name: 'one' }, user)
    const hidden = await server.buildProject({ name: 'two' }, other)
    await server.buildProject({ name: 'three' }, user)
    const list = async (query: string) => {
      const { body } = await server.inject('GET', '/projects', { token: user.token, query })
      return (body as { id: number }[]).map(({ id }) => id)
    }
    expect(await list(`ids[]=${own.id}&ids[]=${hidden.id}`)).toEqual([own.id])
    expect(await list('ids=')).toEqual([])
  })
})
