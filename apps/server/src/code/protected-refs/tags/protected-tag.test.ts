import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs } from '../../../testing/clients/calls.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let project: Json
let developer: TestUser
let maintainer: TestUser

beforeAll(async () => {
  server = await buildTestServer()
  developer = await server.buildUser()
  maintainer = await server.buildUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject()
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
})

const at = (path = '') => `/projects/${project.id}/protected_tags${path}`
const protect = (body: object, token = maintainer.token) =>
  server.inject('POST', at(), { token, body })
const call = (method: string, path = '', token = maintainer.token) =>
  callAs(server, method, at(path), token)

describe('POST /projects/:id/protected_tags', () => {
  it.each([
    [{}, 40, 'Maintainers'],
    [{ create_access_level: '30' }, 30, 'Developers + Maintainers'],
    [{ create_access_level: 0 }, 0, 'No one'],
    [{ create_access_level: '' }, 40, 'Maintainers'],
  ])('protects tags with %j', async (extra, accessLevel, description) => {
    const { status, body } = await protect({ name: 'v*', ...extra })
    const entry = { access_level: accessLevel, access_level_description: description }
    expect([status, body]).toEqual([201, { name: 'v*', create_access_levels: [entry] }])
  })

  it('returns 422 for a name that is taken, blank or invalid', async () => {
    await protect({ name: 'v*' })
    const answers = [await protect({ name: 'v*' }), await protect({ name: ' ' })]
    answers.push(await protect({ name: '' }), await protect({ name: 'a..b' }))
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [422, ['Name has already been taken']],
      [422, ["Name can't be blank"]],
      [422, ["Name can't be blank"]],
      [422, ['Name is not a tag name or wildcard']],
    ])
  })

  it('returns 400 for an invalid level and a missing name', async () => {
    const level = await protect({ name: 'v*', create_access_level: 60 })
    expect([level.status, level.body]).toEqual([
      400,
      { error: 'create_access_level does not have a valid value' },
    ])
    expect((await protect({})).body).toEqual({ error: 'name is missing' })
  })

  it('separates branches and tags of the same name', async () => {
    const path = `/projects/${project.id}/protected_branches`
    await callAs(server, 'POST', path, maintainer.token, { name: 'x' })
    expect((await protect({ name: 'x' })).status).toBe(201)
    expect((await callAs(server, 'GET', path, maintainer.token)).body).toHaveLength(1)
    expect((await call('GET')).body).toHaveLength(1)
  })

  it('requires the Maintainer role', async () => {
    expect((await protect({ name: 'x' }, developer.token)).status).toBe(403)
    expect((await server.inject('POST', at(), { body: { name: 'x' } })).status).toBe(401)
    const stranger = await server.buildUser()
    expect((await protect({ name: 'x' }, stranger.token)).status).toBe(404)
  })
})

describe('GET /projects/:id/protected_tags', () => {
  it('lists and shows protections by the names that they were created with', async () => {
    for (const name of ['v*', '*-rc', 'a/b']) await protect({ name })
    const { body, headers } = await call('GET')
    expect(body.map((entry: Json) => entry.name)).toEqual(['*-rc', 'a/b', 'v*'])
    expect(headers['x-total']).toBe('3')
    expect((await call('GET', '/v*')).body).toEqual(body[2])
    expect((await call('GET', '/a%2Fb')).body).toEqual(body[1])
    expect((await call('GET', '', developer.token)).status).toBe(403)
  })

  it.each(['/v1', '/%00', '/-x'])('returns 404 for %s', async (path) => {
    await protect({ name: 'v*' })
    const { status, body } = await call('GET', path)
    expect([status, body]).toEqual([404, { message: '404 Protected Tag Not Found' }])
  })
})

describe('DELETE /projects/:id/protected_tags/:name', () => {
  it('removes a protection, once', async () => {
    await protect({ name: 'v*' })
    expect((await call('DELETE', '/v*', developer.token)).status).toBe(403)
    expect((await call('DELETE', '/v*')).status).toBe(204)
    expect((await call('DELETE', '/v*')).status).toBe(404)
  })
})
