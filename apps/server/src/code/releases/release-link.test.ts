import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTaggedProject } from '../../testing/git/tagged-project.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let developer: Json
let maintainer: Json

beforeAll(async () => {
  server = await buildTestServer()
  project = (await buildTaggedProject(server, {}, ['rc/1', 'v2'])).project
  developer = await server.buildUser()
  maintainer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
  const { token } = server.root
  for (const tag of ['rc/1', 'v2']) {
    const body = { tag_name: tag, name: tag, description: 'd' }
    await server.inject('POST', `/projects/${project.id}/releases`, { token, body })
  }
})
afterAll(() => server.close())

const links = (tag = 'rc%2F1') => `/projects/${project.id}/releases/${tag}/assets/links`

function call(
  method: string,
  path: string,
  body?: object,
  token: string | undefined = developer.token,
) {
  return server.inject(method, path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  })
}

let made = 0

/** A unique link, as POST returns it. */
async function build(changes: object = {}): Promise<Json> {
  made += 1
  const body = { name: `link ${made}`, url: `https://example.com/${made}`, ...changes }
  const answer = await call('POST', links(), body)
  expect(answer.status).toBe(201)
  return answer.body
}

describe('POST .../assets/links', () => {
  it('adds a link, and shows whether it is external', async () => {
    const { status, body } = await call('POST', links(), { name: 'a', url: 'ftp://example.com/a' })
    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, name: 'a', url: 'ftp://example.com/a', external: true })
    expect((await build({ url: `${project.web_url}/x` })).external).toBe(false)
    expect((await build({ url: `${project.web_url}-evil/x` })).external).toBe(true)
    const form = 'name=form&url=http%3A%2F%2Fexample.com%2Fform'
    const sent = await server.inject('POST', links(), { token: developer.token, form })
    expect([sent.status, sent.body.name]).toEqual([201, 'form'])
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT://x/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ssh://example.com',
    'example.com',
    '/relative',
    'http://',
    'https://user:secret@example.com',
    'https://example.com/a\nb',
    `https://example.com/${'x'.repeat(2040)}`,
    ' https://example.com',
  ])('answers 400 with the field for the url %j', async (url) => {
    const { status, body } = await call('POST', links(), { name: 'bad', url })
    expect([status, Object.keys(body.message)]).toEqual([400, ['url']])
  })

  it('returns 400 for names and urls that are missing, NUL, too long or taken', async () => {
    const url = 'https://example.com/other'
    for (const body of [
      { name: 'x' },
      { url },
      { name: '', url },
      { name: 'x', url: '' },
      { name: 'a\0', url },
    ]) {
      const answer = await call('POST', links(), body)
      expect([answer.status, typeof answer.body.error]).toEqual([400, 'string'])
    }
    const long = await call('POST', links(), { name: 'x'.repeat(256), url })
    expect([long.status, Object.keys(long.body.message)]).toEqual([400, ['name']])
    const taken = await build()
    const errors = ['has already been taken']
    expect((await call('POST', links(), { name: taken.name, url })).body).toEqual({
      message: { name: errors },
    })
    expect((await call('POST', links(), { name: 'free', url: taken.url })).body).toEqual({
      message: { url: errors },
    })
    expect((await call('POST', links(), { name: taken.name, url: taken.url })).body).toEqual({
      message: { name: errors, url: errors },
    })
    const { name } = taken
    expect((await call('POST', links('v2'), { name, url: taken.url })).status).toBe(201)
  })

  it('lets one of two concurrent requests win', async () => {
    const body = { name: 'race', url: 'https://example.com/race' }
    const answers = await Promise.all([call('POST', links(), body), call('POST', links(), body)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })
})

describe('GET .../assets/links', () => {
  it('lists the newest first, and paginates', async () => {
    const older = await build()
    const newer = await build()
    const { status, body, headers } = await call('GET', links())
    expect([status, body.slice(0, 2)]).toEqual([200, [newer, older]])
    expect(Number(headers['x-total'])).toBe(body.length)
    expect((await call('GET', `${links()}?per_page=1&page=2`)).body).toEqual([older])
  })

  it('shows links of this release only', async () => {
    const link = await build()
    expect((await call('GET', `${links()}/${link.id}`)).body).toEqual(link)
    expect((await call('GET', `${links('v2')}/${link.id}`)).status).toBe(404)
    expect((await call('GET', `${links()}/999999`)).body).toEqual({ message: '404 Link Not Found' })
    for (const id of ['x', '0', '-1', '9'.repeat(40)]) {
      expect((await call('GET', `${links()}/${id}`)).status).toBe(400)
    }
  })

  it('returns 404 without the release', async () => {
    const answer = await call('GET', links('none'))
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Release Not Found' }])
    expect(
      (await call('POST', links('none'), { name: 'a', url: 'https://x.example' })).status,
    ).toBe(404)
  })
})

describe('PUT .../assets/links/:link_id', () => {
  it('changes name, url or both', async () => {
    const link = await build()
    const path = `${links()}/${link.id}`
    expect((await call('PUT', path, { name: 'renamed' })).body).toEqual({
      ...link,
      name: 'renamed',
    })
    const url = `${project.web_url}/moved`
    const moved = { id: link.id, name: 'renamed', url, external: false }
    expect((await call('PUT', path, { url })).body).toEqual(moved)
    const same = await call('PUT', path, { name: 'renamed', url })
    expect([same.status, same.body]).toEqual([200, moved])
  })

  it('returns 400 when neither is sent, and for invalid or taken values', async () => {
    const [link, other] = [await build(), await build()]
    const path = `${links()}/${link.id}`
    for (const body of [{}, { id: 1 }, { name: null, url: null }, { name: '' }, { url: '' }]) {
      expect((await call('PUT', path, body)).status).toBe(400)
    }
    expect((await call('PUT', path, { url: 'javascript:alert(1)' })).body.message).toHaveProperty(
      'url',
    )
    expect((await call('PUT', path, { name: other.name })).body).toEqual({
      message: { name: ['has already been taken'] },
    })
    expect((await call('PUT', path, { url: other.url })).status).toBe(400)
    expect((await call('PUT', `${links()}/999999`, { name: 'x' })).status).toBe(404)
    expect((await call('GET', path)).body).toEqual(link)
  })
})

describe('DELETE .../assets/links/:link_id', () => {
  it('returns 200 with the deleted link', async () => {
    const link = await build()
    const path = `${links()}/${link.id}`
    const headers = { 'if-unmodified-since': new Date(0).toUTCString() }
    const { token } = maintainer
    expect((await server.inject('DELETE', path, { token, headers })).status).toBe(412)
    const answer = await call('DELETE', path, undefined, token)
    expect([answer.status, answer.body]).toEqual([200, link])
    expect((await call('DELETE', path, undefined, token)).status).toBe(404)
  })
})

describe('access to release links', () => {
  it.each([
    ['a stranger', 0, [404, 404, 404, 404, 404]],
    ['a guest', 10, [200, 200, 403, 403, 403]],
    ['a reporter', 20, [200, 200, 403, 403, 403]],
    ['a developer', 30, [200, 200, 201, 200, 403]],
    ['a maintainer', 40, [200, 200, 201, 200, 200]],
  ] as const)('%s', async (who, level, statuses) => {
    const link = await build()
    const { id, token } = await server.buildUser()
    if (level > 0) await server.addMember(`projects/${project.id}`, id, level)
    const path = `${links()}/${link.id}`
    const answers = [
      await call('GET', links(), undefined, token),
      await call('GET', path, undefined, token),
      await call('POST', links(), { name: who, url: `https://example.com/by/${level}` }, token),
      await call('PUT', path, { name: `changed by ${who}` }, token),
      await call('DELETE', path, undefined, token),
    ]
    expect(answers.map(({ status }) => status)).toEqual(statuses)
  })

  it('requires a token, on public projects too, and lets any user read there', async () => {
    const { token } = server.root
    await server.inject('PUT', `/projects/${project.id}`, { token, body: { visibility: 'public' } })
    expect((await server.inject('GET', links())).status).toBe(401)
    const stranger = await server.buildUser()
    expect((await call('GET', links(), undefined, stranger.token)).status).toBe(200)
    expect(
      (await call('POST', links(), { name: 'x', url: 'https://x.example' }, stranger.token)).status,
    ).toBe(403)
  })

  it('is read-only in an archived project', async () => {
    const { token } = server.root
    const link = await build()
    const path = `${links()}/${link.id}`
    await server.inject('POST', `/projects/${project.id}/archive`, { token })
    expect((await call('GET', path, undefined, token)).status).toBe(200)
    expect((await call('PUT', path, { name: 'x' }, token)).status).toBe(403)
    expect((await call('DELETE', path, undefined, token)).status).toBe(403)
    expect(
      (await call('POST', links(), { name: 'x', url: 'https://x.example' }, token)).status,
    ).toBe(403)
    await server.inject('POST', `/projects/${project.id}/unarchive`, { token })
  })
})
