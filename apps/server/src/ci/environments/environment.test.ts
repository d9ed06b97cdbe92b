import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

// Slugs and names: `environment.rules.test.ts`; who may: `permissions.test.ts` and below.

let server: TestServer
let project: Json
let path: string
const people: Record<string, TestUser> = {}

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
  path = `/projects/${project.id}/environments`
  for (const [name, level] of Object.entries({ guest: 10, reporter: 20, developer: 30 })) {
    people[name] = await server.buildUser()
    await server.addMember(`projects/${project.id}`, people[name].id, level)
  }
  people.maintainer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, people.maintainer.id, 40)
})
afterAll(() => server.close())

const as = (who: string) => people[who]?.token ?? server.root.token
const call = (method: string, to: string, body?: unknown, who = 'root') =>
  callAs(server, method, to, as(who), body)

describe('POST /projects/:id/environments', () => {
  it('creates one, whose slug is the name itself if it can be', async () => {
    const body = { name: 'staging', external_url: 'https://staging.example' }
    const { status, body: made } = await call('POST', path, body, 'developer')
    expect([status, made]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'staging',
        slug: 'staging',
        external_url: 'https://staging.example',
        state: 'available',
      },
    ])
    const review = await created(server, path, { name: 'review/Some branch', external_url: ' ' })
    expect(review).toMatchObject({ external_url: null, state: 'available' })
    expect(review.slug).toMatch(/^review-some-branc-[a-z0-9]{6}$/)
    const clashing = await created(server, path, { name: review.slug })
    expect(clashing.slug).not.toBe(review.slug)
    expect(clashing.slug).toMatch(/^review-some-branc-[a-z0-9]{6}$/)
  })

  it.each([
    [{}, { error: 'name is missing' }],
    [{ name: '' }, { error: 'name is empty' }],
    [{ name: ' ' }, { message: { name: ["can't be blank"] } }],
    [
      { name: 'a', slug: 'a' },
      { message: { slug: ['is automatically generated and cannot be changed'] } },
    ],
    [
      { name: 'a', external_url: 'ftp://a.example' },
      { message: { external_url: ['is blocked: only http and https are allowed'] } },
    ],
    [{ name: 'x'.repeat(256) }, { message: { name: [expect.stringContaining('maximum is 255')] } }],
    [{ name: '/a' }, { message: { name: [expect.stringContaining('cannot start or end')] } }],
  ])('answers 400 for %j', async (body, expected) => {
    const answer = await call('POST', path, body)
    expect([answer.status, answer.body]).toEqual([400, expected])
  })

  it('answers 400 for a name that is taken in the project, with upper and lower case', async () => {
    await created(server, path, { name: 'taken' })
    const { status, body } = await call('POST', path, { name: 'taken' })
    expect([status, body]).toEqual([400, { message: { name: ['has already been taken'] } }])
    expect((await call('POST', path, { name: 'Taken' })).status).toBe(201)
    const other = await server.buildProject()
    expect(
      (await call('POST', `/projects/${other.id}/environments`, { name: 'taken' })).status,
    ).toBe(201)
  })

  it('creates one of several with the same name at the same time', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', path, { name: 'Race 1' })),
    )
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(400)])
  })
})

describe('GET /projects/:id/environments', () => {
  it('lists them, oldest first, in pages', async () => {
    const other = await server.buildProject()
    const list = `/projects/${other.id}/environments`
    for (const name of ['b', 'A', 'review/1', '50%'])
      await created(server, list, { name: name.replace('%', '.') })
    const { body, headers } = await call('GET', `${list}?per_page=3`)
    expect(body.map(({ name }: Json) => name)).toEqual(['b', 'A', 'review/1'])
    expect(headers['x-total']).toBe('4')
    expect(Object.keys(body[0])).toEqual(['id', 'name', 'slug', 'external_url', 'state'])
  })

  it('filters by name, by a part of it and by state', async () => {
    const other = await server.buildProject()
    const list = `/projects/${other.id}/environments`
    for (const name of ['review/One', 'review/two', 'a_b']) await created(server, list, { name })
    const stopped = await created(server, list, { name: 'old' })
    await call('POST', `${list}/${stopped.id}/stop`)
    const names = async (query: string) =>
      (await call('GET', `${list}?${query}`)).body.map(({ name }: Json) => name)
    expect(await names('name=review/One')).toEqual(['review/One'])
    expect(await names('name=review/one')).toEqual([])
    expect(await names('search=VIEW')).toEqual(['review/One', 'review/two'])
    expect(await names('search=_')).toEqual(['a_b'])
    expect(await names('search=%25')).toEqual([])
    expect(await names('states=stopped')).toEqual(['old'])
    expect(await names('states=available&search=old')).toEqual([])
    expect(await names('name=&search=&states=')).toHaveLength(4)
    const both = await call('GET', `${list}?name=a&search=b`)
    expect([both.status, both.body]).toEqual([
      400,
      { error: 'name, search are mutually exclusive' },
    ])
    expect((await call('GET', `${list}?states=gone`)).status).toBe(400)
  })

  it('takes the same number of queries for each length', async () => {
    const cost = async (query: string) => {
      const before = server.app.db.stats.queries
      await call('GET', `${path}?${query}`)
      return server.app.db.stats.queries - before
    }
    // The first list is counted.
    await cost('')
    expect(await cost('per_page=100')).toBe(await cost('per_page=1'))
    expect(await cost('per_page=100')).toBeLessThanOrEqual(4)
  })
})

describe('GET /projects/:id/environments/:environment_id', () => {
  it('shows one that was never deployed, and 404 for others', async () => {
    const made = await created(server, path, { name: 'never' })
    const { status, body } = await call('GET', `${path}/${made.id}`, undefined, 'reporter')
    expect([status, body]).toEqual([200, { ...made, last_deployment: null }])
    const missing = await call('GET', `${path}/999999`)
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Environment Not Found' }])
    const other = await server.buildProject()
    expect((await call('GET', `/projects/${other.id}/environments/${made.id}`)).status).toBe(404)
  })
})

describe('PUT /projects/:id/environments/:environment_id', () => {
  it('changes what is sent, and never the slug', async () => {
    const made = await created(server, path, { name: 'before', external_url: 'http://a.example' })
    const one = `${path}/${made.id}`
    const renamed = await call('PUT', one, { name: 'after' }, 'maintainer')
    expect([renamed.status, renamed.body]).toEqual([200, { ...made, name: 'after' }])
    const cleared = await call('PUT', one, { external_url: '' })
    expect(cleared.body).toMatchObject({ name: 'after', slug: 'before', external_url: null })
    expect((await call('PUT', one, {})).body).toEqual(cleared.body)
    expect((await call('GET', `${path}?search=AFTER`)).body).toEqual([cleared.body])
  })

  it('answers 400 for invalid and taken values, 404 without one', async () => {
    const made = await created(server, path, { name: 'valid' })
    const one = `${path}/${made.id}`
    const slug = await call('PUT', one, { slug: 'x' })
    expect([slug.status, Object.keys(slug.body.message)]).toEqual([400, ['slug']])
    const taken = await call('PUT', one, { name: 'staging' })
    expect([taken.status, taken.body]).toEqual([
      400,
      { message: { name: ['has already been taken'] } },
    ])
    expect((await call('PUT', one, { name: 'a:b', external_url: 'x' })).body.message).toEqual({
      name: [expect.any(String)],
      external_url: ['must be a valid URL'],
    })
    expect((await call('PUT', `${path}/999999`, { name: 'a' })).status).toBe(404)
  })
})

describe('POST /projects/:id/environments/:environment_id/stop', () => {
  it('stops one, also a second time', async () => {
    const made = await created(server, path, { name: 'stopping' })
    const stopped = async () =>
      Number((await call('GET', `${path}?states=stopped`)).headers['x-total'])
    const before = await stopped()
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await call('POST', `${path}/${made.id}/stop`, {}, 'maintainer')
      expect([status, body]).toEqual([200, { ...made, state: 'stopped' }])
    }
    expect(await stopped()).toBe(before + 1)
    expect((await call('POST', `${path}/999999/stop`)).status).toBe(404)
  })
})

describe('DELETE /projects/:id/environments/:environment_id', () => {
  it('deletes one, whatever its state', async () => {
    const made = await created(server, path, { name: 'going' })
    const one = `${path}/${made.id}`
    const unmodified = { 'if-unmodified-since': new Date(0).toUTCString() }
    const { token } = server.root
    const refused = await server.inject('DELETE', one, { token, headers: unmodified })
    expect(refused.status).toBe(412)
    const { status, text } = await call('DELETE', one, undefined, 'maintainer')
    expect([status, text]).toEqual([204, ''])
    expect((await call('DELETE', one)).status).toBe(404)
    expect((await created(server, path, { name: 'going' })).slug).toBe('going')
  })
})

describe('who may use environments', () => {
  it.each([
    ['guest', [403, 403, 403, 403, 403]],
    ['reporter', [200, 403, 403, 403, 403]],
    ['developer', [200, 201, 403, 403, 403]],
    ['maintainer', [200, 201, 200, 200, 204]],
  ])('%s: read, create, update, stop, delete', async (who, expected) => {
    const { id } = await created(server, path, { name: `of ${who}` })
    const answers = [
      await call('GET', path, undefined, who),
      await call('POST', path, { name: `by ${who}` }, who),
      await call('PUT', `${path}/${id}`, { external_url: 'http://a.example' }, who),
      await call('POST', `${path}/${id}/stop`, {}, who),
      await call('DELETE', `${path}/${id}`, undefined, who),
    ]
    expect(answers.map(({ status }) => status)).toEqual(expected)
  })

  it('nobody without a token, outside of a private project, or without pipelines', async () => {
    const open = await server.buildProject({ visibility: 'public' })
    const list = `/projects/${open.id}/environments`
    expect((await callAs(server, 'GET', list)).status).toBe(401)
    const stranger = await server.buildUser()
    expect((await callAs(server, 'GET', list, stranger.token)).status).toBe(403)
    expect((await callAs(server, 'GET', path, stranger.token)).status).toBe(404)
    await call('PUT', `/projects/${open.id}`, { builds_access_level: 'disabled' })
    expect((await call('GET', list)).status).toBe(403)
    expect((await call('GET', `/projects/${open.id}/deployments`)).status).toBe(403)
  })

  it('nobody may change those of an archived project', async () => {
    const archived = await server.buildProject()
    const list = `/projects/${archived.id}/environments`
    const { id } = await created(server, list, { name: 'a' })
    await call('POST', `/projects/${archived.id}/archive`)
    const answers = [
      await call('POST', list, { name: 'b' }),
      await call('PUT', `${list}/${id}`, { name: 'b' }),
      await call('POST', `${list}/${id}/stop`),
      await call('DELETE', `${list}/${id}`),
      await call('POST', `/projects/${archived.id}/deployments`, {
        ...{ environment: 'a', sha: 'main', ref: 'main', status: 'success' },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect((await call('GET', `${list}/${id}`)).status).toBe(200)
  })
})
