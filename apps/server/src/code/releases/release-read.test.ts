import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTaggedProject } from '../../testing/git/tagged-project.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let developer: Json

beforeAll(async () => {
  server = await buildTestServer()
  const built = await buildTaggedProject(server, { visibility: 'public' })
  project = built.project
  developer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, developer.id, 30)
})
afterAll(() => server.close())

function call(method: string, path = '', input: Json = {}, id = project.id) {
  const token = 'token' in input ? input.token : developer.token
  return server.inject(method, `/projects/${id}/releases${path}`, {
    ...input,
    ...(token === undefined ? {} : { token }),
  })
}

const post = (body: object, token = developer.token, id = project.id) =>
  call('POST', '', { body, token }, id)

describe('GET /projects/:id/releases', () => {
  it('lists the newest first and paginates, with as many queries for two as for one', async () => {
    const { project: listed } = await buildTaggedProject(server, { visibility: 'public' })
    const path = `/projects/${listed.id}/releases`
    for (const tag of ['v2', 'v1', 'rc/ü']) {
      const links = ['a', 'b'].map((name) => ({ name, url: `https://example.com/${name}` }))
      await post({ tag_name: tag, assets: { links } }, server.root.token, listed.id)
      server.advance(1000)
    }
    const { body, headers } = await server.inject('GET', path)
    expect(headers['x-total']).toBe('3')
    expect(body.map((release: Json) => release.tag_name)).toEqual(['rc/ü', 'v1', 'v2'])
    expect(body.map((release: Json) => release.assets.count)).toEqual([6, 6, 6])
    const second = await server.inject('GET', path, { query: 'per_page=1&page=2' })
    expect(second.body.map((release: Json) => release.tag_name)).toEqual(['v1'])
    const { db, git } = server.app
    const spawned = git.spawnCount
    const counts: number[] = []
    for (const query of ['per_page=1', 'per_page=3']) {
      const before = db.stats.queries
      await server.inject('GET', path, { query })
      counts.push(db.stats.queries - before)
    }
    expect(counts[1]).toBe(counts[0])
    expect(git.spawnCount).toBe(spawned)
  })

  it('links references for readers who may see them, with as many queries for two as for one', async () => {
    const { project: noted } = await buildTaggedProject(server, { visibility: 'public' })
    const token = server.root.token
    for (const body of [{ title: 'Open' }, { title: 'Hidden', confidential: true }]) {
      await server.inject('POST', `/projects/${noted.id}/issues`, { token, body })
    }
    await post({ tag_name: 'v1', description: 'Mends #1' }, token, noted.id)
    await post({ tag_name: 'v2', description: 'Mends #2 and #1' }, token, noted.id)
    const { db } = server.app
    const counts: number[] = []
    for (const query of ['per_page=1', 'per_page=2', 'per_page=1', 'per_page=2']) {
      const before = db.stats.queries
      await server.inject('GET', `/projects/${noted.id}/releases`, { token, query })
      counts.push(db.stats.queries - before)
    }
    expect(counts[3]).toBe(counts[2])
    const { body } = await server.inject('GET', `/projects/${noted.id}/releases`, {})
    const texts = body.map(({ description_html }: Json) =>
      description_html.replace(/<a [^>]*>/g, '<a>'),
    )
    expect(texts.toSorted()).toEqual([
      '<p>Mends #2 and <a>#1</a></p>\n',
      '<p>Mends <a>#1</a></p>\n',
    ])
  })

  it('omits tag, commit and sources for users who may not read the code', async () => {
    const { project: hidden } = await buildTaggedProject(server)
    const links = [{ name: 'a', url: 'https://example.com' }]
    await post(
      { tag_name: 'v1', name: 'One', description: 'd', assets: { links } },
      server.root.token,
      hidden.id,
    )
    const guest = await server.buildUser()
    await server.addMember(`projects/${hidden.id}`, guest.id, 10)
    const { status, body } = await call('GET', '', { token: guest.token }, hidden.id)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        name: 'One',
        description: 'd',
        description_html: '<p>d</p>\n',
        created_at: expect.any(String),
        released_at: expect.any(String),
        author: expect.objectContaining({ id: 1 }),
        assets: { count: 1, links: [{ id: expect.any(Number), ...links[0], external: true }] },
      },
    ])
    for (const tag of ['v1', 'none']) {
      expect((await call('GET', `/${tag}`, { token: guest.token }, hidden.id)).status).toBe(403)
    }
  })

  it('is empty without releases, and returns 404 when the project is hidden', async () => {
    const hidden = await server.buildProject()
    expect((await call('GET', '', { token: server.root.token }, hidden.id)).body).toEqual([])
    expect((await call('GET', '', { token: undefined }, hidden.id)).status).toBe(404)
    expect((await call('GET', '', { token: developer.token }, hidden.id)).status).toBe(404)
  })
})

describe('GET /projects/:id/releases/:tag_name', () => {
  it.each(['none', '-x', 'a..b', 'x'.repeat(5000), '%2E%2E%2Fx'])(
    'returns 404 for %s',
    async (tag) => {
      const { status, body } = await call('GET', `/${tag}`)
      expect([status, body]).toEqual([404, { message: '404 Release Not Found' }])
    },
  )

  it('shows a release by a name with a slash and an umlaut', async () => {
    await post({ tag_name: 'rc/ü', name: 'n', description: 'd' })
    const { body } = await call('GET', `/${encodeURIComponent('rc/ü')}`)
    expect(body.tag_name).toBe('rc/ü')
    expect(body.assets.sources[1].url).toBe(
      `${project.web_url}/-/archive/rc/%C3%BC/${project.path}-rc-%C3%BC.tar.gz`,
    )
  })
})

describe('access to releases', () => {
  let tagged: Json
  beforeAll(async () => {
    tagged = (await buildTaggedProject(server)).project
    await post({ tag_name: 'v1', name: 'n', description: 'd' }, server.root.token, tagged.id)
  })

  it.each([
    ['nobody', undefined, [404, 404, 401, 401, 401]],
    ['a stranger', 0, [404, 404, 404, 404, 404]],
    ['a guest', 10, [200, 403, 403, 403, 403]],
    ['a reporter', 20, [200, 200, 403, 403, 403]],
    ['a developer', 30, [200, 200, 201, 200, 403]],
    ['a maintainer', 40, [200, 200, 201, 200, 200]],
  ] as const)('%s', async (_, level, statuses) => {
    const user = await server.buildUser()
    if (level) await server.addMember(`projects/${tagged.id}`, user.id, level)
    const token = level === undefined ? undefined : user.token
    const made = { tag_name: `by-${level}`, ref: 'main', name: 'n', description: 'd' }
    const answers = [
      await call('GET', '', { token }, tagged.id),
      await call('GET', '/v1', { token }, tagged.id),
      await call('POST', '', { token, body: made }, tagged.id),
      await call('PUT', '/v1', { token, body: { name: 'm' } }, tagged.id),
      await call('DELETE', '/v1', { token }, tagged.id),
    ]
    expect(answers.map(({ status }) => status)).toEqual(statuses)
  })

  it('is refused when the repository is disabled, and read-only in an archived project', async () => {
    const { token } = server.root
    const { project: other } = await buildTaggedProject(server, { visibility: 'public' })
    await post({ tag_name: 'v1', name: 'n', description: 'd' }, token, other.id)
    await server.inject('POST', `/projects/${other.id}/archive`, { token })
    expect((await call('GET', '/v1', { token }, other.id)).status).toBe(200)
    expect((await post({ tag_name: 'v2' }, token, other.id)).status).toBe(403)
    expect((await call('PUT', '/v1', { token, body: { name: 'm' } }, other.id)).status).toBe(403)
    expect((await call('DELETE', '/v1', { token }, other.id)).status).toBe(403)
    await server.inject('POST', `/projects/${other.id}/unarchive`, { token })
    const body = { repository_access_level: 'disabled' }
    await server.inject('PUT', `/projects/${other.id}`, { token, body })
    expect((await call('GET', '', { token }, other.id)).status).toBe(403)
    expect((await call('GET', '', { token: undefined }, other.id)).status).toBe(401)
  })
})
