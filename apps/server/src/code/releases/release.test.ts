import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTaggedProject } from '../../testing/git/tagged-project.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let head: string
let developer: Json
let maintainer: Json

beforeAll(async () => {
  server = await buildTestServer()
  const built = await buildTaggedProject(server, { visibility: 'public' })
  project = built.project
  head = built.head
  developer = await server.buildUser()
  maintainer = await server.buildUser()
  await server.addMember(`projects/${project.id}`, developer.id, 30)
  await server.addMember(`projects/${project.id}`, maintainer.id, 40)
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

describe('POST /projects/:id/releases', () => {
  it('releases an existing tag', async () => {
    const links = [
      { name: 'first', url: 'https://example.com/1' },
      { name: 'page', url: `${project.web_url}/page` },
    ]
    const body = {
      tag_name: 'v1',
      name: 'One',
      description: '**Big** <script>x</script>',
      assets: { links },
    }
    const answer = await post(body)
    expect(answer.status).toBe(201)
    const base = `${project.web_url}/-/archive/v1/${project.path}-v1`
    expect(answer.body).toEqual({
      tag_name: 'v1',
      name: 'One',
      description: '**Big** <script>x</script>',
      description_html: '<p><strong>Big</strong> </p>\n',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      released_at: answer.body.created_at,
      author: expect.objectContaining({ id: developer.id, username: developer.username }),
      commit: expect.objectContaining({ id: head, created_at: expect.any(String) }),
      assets: {
        count: 6,
        sources: ['zip', 'tar.gz', 'tar.bz2', 'tar'].map((format) => ({
          format,
          url: `${base}.${format}`,
        })),
        links: [
          { id: expect.any(Number), ...links[0], external: true },
          { id: expect.any(Number), ...links[1], external: false },
        ],
      },
    })
    expect((await call('GET', '/v1', { token: undefined })).body).toEqual(answer.body)
  })

  it('creates the tag from ref, as a push by the caller', async () => {
    const body = { tag_name: 'new/1', ref: 'main', name: 'n', description: 'd' }
    const answer = await post(body)
    expect([answer.status, answer.body.commit.id]).toEqual([201, head])
    expect(answer.body.assets.sources[0].url).toBe(
      `${project.web_url}/-/archive/new/1/${project.path}-new-1.zip`,
    )
    const tag = await server.inject('GET', `/projects/${project.id}/repository/tags/new%2F1`)
    expect(tag.body).toMatchObject({
      message: null,
      target: head,
      release: { tag_name: 'new/1', description: 'd' },
    })
    const { body: events } = await server.inject('GET', `/projects/${project.id}/events`, {
      token: server.root.token,
    })
    expect(events[0]).toMatchObject({ author_id: developer.id, push_data: { ref: 'new/1' } })
  })

  it('accepts form bodies with links in brackets, and takes the name from the tag', async () => {
    const form = [
      'tag_name=form&ref=main&released_at=2020-01-02T03:04:05Z',
      'assets[links][][name]=a&assets[links][][url]=https://example.com/a',
      'assets[links][][name]=b&assets[links][][url]=ftp://example.com/b',
    ].join('&')
    const { status, body } = await call('POST', '', { form })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'form',
      description: null,
      description_html: '',
      released_at: '2020-01-02T03:04:05.000Z',
    })
    expect(body.assets.links.map(({ name }: Json) => name)).toEqual(['a', 'b'])
  })

  it('returns 409 for a tag with a release, also to one of two concurrent requests', async () => {
    const { status, body } = await post({ tag_name: 'v1', name: 'n', description: 'd' })
    expect([status, body]).toEqual([409, { message: 'The release already exists' }])
    const race = { tag_name: 'v3', name: 'n', description: 'd' }
    const answers = await Promise.all([post(race), post(race)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409])
  })

  it('returns 422 without a tag and ref, 400 for a ref that does not exist', async () => {
    for (const ref of [undefined, '', null]) {
      expect((await post({ tag_name: 'absent', name: 'n', description: 'd', ref })).status).toBe(
        422,
      )
    }
    for (const ref of ['none', '-x', '--help', 'f'.repeat(40)]) {
      expect((await post({ tag_name: 'absent', name: 'n', description: 'd', ref })).status).toBe(
        400,
      )
    }
  })

  it.each(['-x', 'a b', 'a..b', 'a.lock', 'refs/heads/x', 'x'.repeat(3000), 'a\0'])(
    'returns 400 for the tag name %j',
    async (name) => {
      const body = { tag_name: name, ref: 'main', name: 'n', description: 'd' }
      expect((await post(body)).status).toBe(400)
    },
  )

  it.each([
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ url: 'https://user:pw@example.com' }, 'url'],
    [{ url: 'https://example.com/\n' }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2040)}` }, 'url'],
    [{ name: 'x'.repeat(256) }, 'name'],
  ])('creates neither tag nor release with the link %j', async (changes, field) => {
    const link = { name: 'a', url: 'https://example.com', ...changes }
    const { status, body } = await post({ tag_name: 'bad', ref: 'main', assets: { links: [link] } })
    expect([status, Object.keys(body.message)]).toEqual([400, [field]])
    const tag = await server.inject('GET', `/projects/${project.id}/repository/tags/bad`)
    expect(tag.status).toBe(404)
  })

  it('returns 400 for duplicate, incomplete and invalid links', async () => {
    const link = { name: 'a', url: 'https://example.com' }
    for (const links of [
      [link, link],
      [{ name: 'a' }],
      [{ url: 'https://example.com' }],
      [{ ...link, name: '' }],
      ['x'],
      'x',
      Array.from({ length: 1001 }, (_, at) => ({
        name: `${at}`,
        url: `https://example.com/${at}`,
      })),
    ]) {
      expect((await post({ tag_name: 'v2', assets: { links } })).status).toBe(400)
    }
    expect((await post({ tag_name: 'v2', assets: 'x' })).status).toBe(400)
  })

  it('returns 400 for texts that are too long or contain NUL, and without a tag name', async () => {
    const long = await post({ tag_name: 'v2', description: 'x'.repeat(1_000_001) })
    expect([long.status, Object.keys(long.body.message)]).toEqual([400, ['description']])
    expect((await post({ tag_name: 'v2', name: 'x'.repeat(256) })).status).toBe(400)
    expect((await post({ tag_name: 'v2', name: 'a\0' })).status).toBe(400)
    expect((await post({ tag_name: 'v2', released_at: 'soon' })).status).toBe(400)
    expect((await post({ name: 'n', description: 'd' })).body).toEqual({
      error: 'tag_name is missing',
    })
  })

  it('returns 403 when the tag to create is protected', async () => {
    const path = `/projects/${project.id}/protected_tags`
    await server.inject('POST', path, { token: maintainer.token, body: { name: 'safe*' } })
    const body = { tag_name: 'safe1', ref: 'main', name: 'n', description: 'd' }
    expect((await post(body)).status).toBe(403)
    expect((await post(body, maintainer.token)).status).toBe(201)
  })
})

describe('PUT /projects/:id/releases/:tag_name', () => {
  it('changes only what is sent', async () => {
    const named = await call('PUT', '/v1', { body: { name: 'Uno' } })
    expect(named.body).toMatchObject({ name: 'Uno', description: '**Big** <script>x</script>' })
    const described = await call('PUT', '/v1', { body: { description: '# H' } })
    expect(described.body).toMatchObject({
      name: 'Uno',
      description_html: expect.stringMatching(/^<h1><a id="user-content-h".*<\/a>H<\/h1>\n$/),
    })
    const dated = await call('PUT', '/v1', { body: { released_at: '2021-01-01' } })
    expect(dated.body).toMatchObject({ name: 'Uno', released_at: '2021-01-01T00:00:00.000Z' })
    expect((await call('PUT', '/v1', { body: { description: '' } })).body.description).toBe('')
  })

  it('returns 400 when nothing or too much is sent, and 404 without the release', async () => {
    for (const body of [
      {},
      { tag: 'x' },
      { name: 'x'.repeat(256) },
      { name: ' ' },
      { name: 'a\0' },
    ]) {
      expect((await call('PUT', '/v1', { body })).status).toBe(400)
    }
    const description = 'x'.repeat(1_000_001)
    expect((await call('PUT', '/v1', { body: { description } })).status).toBe(400)
    expect((await call('PUT', '/none', { body: { name: 'n' } })).status).toBe(404)
    expect((await call('PUT', '/v2', { body: { name: 'n' } })).status).toBe(404)
  })
})

describe('DELETE /projects/:id/releases/:tag_name', () => {
  it('returns 200 with the deleted release, and keeps the tag', async () => {
    const old = { 'if-unmodified-since': new Date(0).toUTCString() }
    const { token } = maintainer
    expect((await call('DELETE', '/v3', { token, headers: old })).status).toBe(412)
    const { status, body } = await call('DELETE', '/v3', { token })
    expect([status, body.tag_name]).toEqual([200, 'v3'])
    expect((await call('DELETE', '/v3', { token })).status).toBe(404)
    const tag = await server.inject('GET', `/projects/${project.id}/repository/tags/v3`)
    expect([tag.status, tag.body.release]).toEqual([200, null])
  })
})

describe('the releases of a deleted user', () => {
  it('are attributed to the ghost user', async () => {
    const leaving = await server.buildUser()
    await server.addMember(`projects/${project.id}`, leaving.id, 30)
    await post({ tag_name: 'v2', name: 'n', description: 'd' }, leaving.token)
    const { token } = server.root
    expect((await server.inject('DELETE', `/users/${leaving.id}`, { token })).status).toBe(204)
    await server.runJobs()
    expect((await call('GET', '/v2')).body.author.username).toBe('ghost')
  })
})
