import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let maintainer: TestUser

const url = 'https://ci.example/hook'

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
  maintainer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
})
afterAll(() => server.close())

function call(method: string, path = '', body?: object, token = maintainer.token) {
  const input = body === undefined ? { token } : { token, body }
  return server.inject(method, `/projects/${project.id}/hooks${path}`, input)
}

async function build(body: object = {}): Promise<Json> {
  const { status, body: hook } = await call('POST', '', { url, ...body })
  expect(status).toBe(201)
  return hook
}

describe('POST /projects/:id/hooks', () => {
  it('creates a hook with the default events, and does not show its token', async () => {
    const answer = await call('POST', '', { url, token: 'top secret' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      url,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      project_id: project.id,
      push_events: true,
      tag_push_events: false,
      issues_events: false,
      confidential_issues_events: false,
      merge_requests_events: false,
      note_events: false,
      confidential_note_events: false,
      job_events: false,
      pipeline_events: false,
      wiki_page_events: false,
      push_events_branch_filter: null,
      enable_ssl_verification: true,
    })
    expect(answer.text).not.toContain('secret')
  })

  it('accepts every event, the branch filter and SSL verification', async () => {
    const values = {
      push_events: false,
      tag_push_events: true,
      issues_events: true,
      confidential_issues_events: true,
      merge_requests_events: true,
      note_events: true,
      confidential_note_events: true,
      job_events: true,
      pipeline_events: true,
      wiki_page_events: true,
      push_events_branch_filter: 'release/*',
      enable_ssl_verification: false,
    }
    expect(await build(values)).toMatchObject(values)
  })

  it.each([
    'ci.example',
    'ftp://ci.example',
    'http://',
    'javascript:alert(1)',
    'http://a b',
    'http://ci.example/\n',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:8080/',
    'http://a.LOCALHOST./',
  ])('answers 422 for the address %s', async (bad) => {
    const answer = await call('POST', '', { url: bad })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({ error: 'Invalid url given' })
  })

  it.each([
    [{}, 400, { error: 'url is missing' }],
    [{ url: '' }, 400, { error: 'url is empty' }],
    [{ url, push_events: 'maybe' }, 400, { error: 'push_events is invalid' }],
    [{ url, token: 'a\nb' }, 400, { message: { token: ['is invalid'] } }],
    [{ url, push_events_branch_filter: 'a b' }, 422, { error: 'Invalid branch filter given' }],
    [{ url, push_events_branch_filter: '-x' }, 422, { error: 'Invalid branch filter given' }],
  ])('answers %j with a refusal', async (body, status, expected) => {
    const answer = await call('POST', '', body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(expected)
  })

  it('returns 400 when the project has the maximum number of hooks', async () => {
    const full = await server.buildProject()
    const add = () =>
      server.inject('POST', `/projects/${full.id}/hooks`, {
        token: server.root.token,
        body: { url },
      })
    for (let count = 0; count < 100; count += 1) expect((await add()).status).toBe(201)
    const answer = await add()
    expect(answer.status).toBe(400)
    expect(answer.body.message.base[0]).toMatch(/100/)
  })
})

describe('GET /projects/:id/hooks', () => {
  it('lists the hooks of the project in pages, oldest first', async () => {
    const own = await server.buildProject()
    const path = `/projects/${own.id}/hooks`
    const token = server.root.token
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) {
      const body = { url: `https://${name}.example` }
      ids.push((await server.inject('POST', path, { token, body })).body.id)
    }
    const all = await server.inject('GET', path, { token })
    expect(all.body.map(({ id }: Json) => id)).toEqual(ids)
    const second = await server.inject('GET', path, { token, query: 'per_page=2&page=2' })
    expect(second.body.map(({ id }: Json) => id)).toEqual([ids[2]])
    expect(second.headers['x-total']).toBe('3')
  })
})

describe('GET, PUT and DELETE /projects/:id/hooks/:hook_id', () => {
  it('show and update a hook; fields that are not sent stay', async () => {
    const hook = await build({
      token: 'kept',
      tag_push_events: true,
      push_events_branch_filter: 'x',
    })
    const changed = await call('PUT', `/${hook.id}`, {
      url: 'https://other.example',
      note_events: 1,
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...hook, url: 'https://other.example', note_events: true })
    expect((await call('GET', `/${hook.id}`)).body).toEqual(changed.body)
    const cleared = await call('PUT', `/${hook.id}`, {
      url,
      push_events_branch_filter: '',
      token: '',
    })
    expect(cleared.body.push_events_branch_filter).toBeNull()
    const bad = await call('PUT', `/${hook.id}`, { url: 'nowhere' })
    expect([bad.status, bad.body]).toEqual([422, { error: 'Invalid url given' }])
    expect((await call('PUT', `/${hook.id}`, { push_events: true })).body).toEqual({
      error: 'url is missing',
    })
  })

  it('delete a hook once', async () => {
    const hook = await build()
    const stale = { 'if-unmodified-since': 'Mon, 01 Jan 2018 00:00:00 GMT' }
    const path = `/projects/${project.id}/hooks/${hook.id}`
    const token = maintainer.token
    expect((await server.inject('DELETE', path, { token, headers: stale })).status).toBe(412)
    const removed = await call('DELETE', `/${hook.id}`)
    expect([removed.status, removed.text]).toEqual([204, ''])
    const again = await call('DELETE', `/${hook.id}`)
    expect([again.status, again.body]).toEqual([404, { message: '404 Not found' }])
  })

  it('delete a hook once, and record it once, when several do at the same time', async () => {
    const { id } = await build()
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('DELETE', `/${id}`)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([204, 404, 404, 404, 404, 404])
    const { body } = await server.inject(
      'GET',
      `/projects/${project.id}/audit_events?per_page=100`,
      {
        token: server.root.token,
      },
    )
    const removals = body.filter(({ details }: Json) => details.remove && details.target_id === id)
    expect(removals).toHaveLength(1)
  })

  it('return 404 for a hook that is unknown or of another project, and 400 for an invalid id', async () => {
    const other = await server.buildProject()
    const hook = await build()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { url } : undefined
      expect((await call(method, '/999999', body)).status).toBe(404)
      expect((await call(method, '/x', body)).status).toBe(400)
      const input = { token: server.root.token, ...(body && { body }) }
      const path = `/projects/${other.id}/hooks/${hook.id}`
      expect((await server.inject(method, path, input)).status).toBe(404)
    }
  })
})

describe('access to project hooks', () => {
  it('requires the Maintainer role', async () => {
    const hook = await build()
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const stranger = await server.buildUser()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { url }],
      ['GET', `/${hook.id}`, undefined],
      ['PUT', `/${hook.id}`, { url }],
      ['DELETE', `/${hook.id}`, undefined],
    ] as const) {
      expect((await call(method, path, body, developer.token)).status).toBe(403)
      expect((await call(method, path, body, stranger.token)).status).toBe(404)
    }
  })
})
