import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const texts = { title: 'One', file_name: 'one.rb', content: 'puts 1' }

async function create(user: { token: string }, body: object = {}): Promise<Json> {
  const { token } = user
  const answer = await server.inject('POST', '/snippets', { token, body: { ...texts, ...body } })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('POST /snippets', () => {
  it('creates a personal snippet, private by default', async () => {
    const ada = await server.buildUser()
    const body = { ...texts, description: 'About' }
    const answer = await server.inject('POST', '/snippets', { token: ada.token, body })
    expect(answer.status).toBe(201)
    const { id } = answer.body
    expect(answer.body).toEqual({
      id: expect.any(Number),
      title: 'One',
      file_name: 'one.rb',
      description: 'About',
      visibility: 'private',
      author: expect.objectContaining({ id: ada.id, username: ada.username }),
      created_at: expect.stringMatching(/Z$/),
      updated_at: answer.body.created_at,
      project_id: null,
      web_url: `http://stithy.test/snippets/${id}`,
      raw_url: `http://stithy.test/snippets/${id}/raw`,
    })
  })

  it('accepts the content as `code`, too', async () => {
    const ada = await server.buildUser()
    const { id } = await create(ada, { content: undefined, code: 'puts 2' })
    const raw = await server.inject('GET', `/snippets/${id}/raw`, { token: ada.token })
    expect(raw.text).toBe('puts 2')
  })

  it.each([
    [{ title: undefined }, { error: 'title is missing' }],
    [{ file_name: undefined }, { error: 'file_name is missing' }],
    [{ content: undefined }, { error: 'content is missing' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ content: '\n' }, { message: { content: ["can't be blank"] } }],
    [
      { title: 'a'.repeat(256) },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    [{ visibility: 'secret' }, { error: 'visibility does not have a valid value' }],
  ])('answers 400 for %j', async (changes, body) => {
    const { token } = await server.buildUser()
    const answer = await server.inject('POST', '/snippets', {
      token,
      body: { ...texts, ...changes },
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(body)
  })

  it('returns 403 to external users', async () => {
    const { token } = await server.buildUser({ external: true })
    const answer = await server.inject('POST', '/snippets', { token, body: texts })
    expect(answer.status).toBe(403)
  })

  it('uses the default visibility of the settings, and returns 400 for restricted ones', async () => {
    const ada = await server.buildUser()
    await setSetting(server, 'default_snippet_visibility', 'internal')
    await setSetting(server, 'restricted_visibility_levels', ['public'])
    try {
      expect((await create(ada)).visibility).toBe('internal')
      const body = { ...texts, visibility: 'public' }
      const answer = await server.inject('POST', '/snippets', { token: ada.token, body })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        message: { visibility_level: ['public has been restricted by your administrator'] },
      })
      const { id } = await create(ada)
      const put = { token: ada.token, body: { visibility: 'public' } }
      expect((await server.inject('PUT', `/snippets/${id}`, put)).status).toBe(400)
      expect((await create(server.root, { visibility: 'public' })).visibility).toBe('public')
    } finally {
      await setSetting(server, 'default_snippet_visibility', 'private')
      await setSetting(server, 'restricted_visibility_levels', [])
    }
  })
})

describe('GET /snippets', () => {
  it('lists the snippets of the caller, also those in projects, newest first', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const project = await server.buildProject({}, ada)
    const path = `/projects/${project.id}/snippets`
    const one = await create(ada)
    const inProject = await server.inject('POST', path, { token: ada.token, body: texts })
    await create(bob, { visibility: 'public' })
    const answer = await server.inject('GET', '/snippets', { token: ada.token })
    expect(answer.body.map(({ id }: Json) => id)).toEqual([inProject.body.id, one.id])
    expect(answer.body[0].raw_url).toBe(`${inProject.body.web_url}/raw`)
    expect(answer.headers['x-total']).toBe('2')
  })

  it('leaves out snippets of projects that the caller can no longer see', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject()
    await server.addMember(`projects/${project.id}`, ada.id, 30)
    const path = `/projects/${project.id}`
    const made = await server.inject('POST', `${path}/snippets`, { token: ada.token, body: texts })
    expect(made.status).toBe(201)
    const { token } = server.root
    expect((await server.inject('DELETE', `${path}/members/${ada.id}`, { token })).status).toBe(204)
    expect((await server.inject('GET', '/snippets', { token: ada.token })).body).toEqual([])
    const one = await server.inject('GET', `/snippets/${made.body.id}`, { token: ada.token })
    expect(one.status).toBe(404)
  })

  it('runs the same number of queries for any length', async () => {
    const ada = await server.buildUser()
    const cost = async () => {
      const before = server.app.db.stats.queries
      await server.inject('GET', '/snippets', { token: ada.token })
      return server.app.db.stats.queries - before
    }
    await create(ada)
    const few = await cost()
    for (let i = 0; i < 10; i += 1) await create(ada)
    expect(await cost()).toBe(few)
    expect(few).toBeLessThanOrEqual(6)
  })
})

describe('GET /snippets/public', () => {
  it('lists the public snippets of everyone, also those of projects that the caller can see', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const [open, hidden] = [
      await server.buildProject({ visibility: 'public' }, ada),
      await server.buildProject({}, ada),
    ]
    const body = { ...texts, visibility: 'public' }
    const { token } = ada
    const one = await create(ada, body)
    const two = await server.inject('POST', `/projects/${open.id}/snippets`, { token, body })
    const three = await server.inject('POST', `/projects/${hidden.id}/snippets`, { token, body })
    await create(ada, { visibility: 'internal' })
    const ids = async (user: { token: string }) => {
      const answer = await server.inject('GET', '/snippets/public', { token: user.token })
      return answer.body.map(({ id }: Json) => id).filter((id: number) => id >= one.id)
    }
    expect(await ids(bob)).toEqual([two.body.id, one.id])
    expect(await ids(ada)).toEqual([three.body.id, two.body.id, one.id])
  })
})

describe('GET /snippets/:id', () => {
  it('shows private ones to their author, internal ones to internal users, public ones to everyone', async () => {
    const ada = await server.buildUser()
    const others = [await server.buildUser(), await server.buildUser({ external: true })]
    const statuses = async (visibility: string) => {
      const { id } = await create(ada, { visibility })
      const answers = [ada, ...others, server.root].map(({ token }) =>
        server.inject('GET', `/snippets/${id}`, { token }),
      )
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await statuses('private')).toEqual([200, 404, 404, 200])
    expect(await statuses('internal')).toEqual([200, 200, 404, 200])
    expect(await statuses('public')).toEqual([200, 200, 200, 200])
  })

  it.each(['999999', 'one', '-1', '99999999999999999999'])('returns 404 for %s', async (id) => {
    const answer = await server.inject('GET', `/snippets/${id}`, { token: server.root.token })
    expect([400, 404]).toContain(answer.status)
  })
})

describe('GET /snippets/:id/raw', () => {
  it('returns the content as a download that browsers do not execute', async () => {
    const ada = await server.buildUser()
    const content = '<script>alert("ö")</script>\n'
    const { id } = await create(ada, { content, file_name: '../ö "x".html' })
    const raw = await server.inject('GET', `/snippets/${id}/raw`, { token: ada.token })
    expect(raw.text).toBe(content)
    expect(raw.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': "attachment; filename*=UTF-8''%C3%B6%20%22x%22.html",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const { token } = await server.buildUser()
    expect((await server.inject('GET', `/snippets/${id}/raw`, { token })).status).toBe(404)
  })

  it('generates a file name if there is none', async () => {
    const { id } = await create(server.root, { file_name: '' })
    const { token } = server.root
    const raw = await server.inject('GET', `/snippets/${id}/raw`, { token })
    expect(raw.headers['content-disposition']).toBe(`attachment; filename="snippet-${id}.txt"`)
  })
})

describe('PUT /snippets/:id', () => {
  it('changes what is sent, and nothing else', async () => {
    const ada = await server.buildUser()
    const made = await create(ada, { description: 'About' })
    server.advance(1000)
    const path = `/snippets/${made.id}`
    const { token } = ada
    const answer = await server.inject('PUT', path, { token, body: { title: 'Two' } })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...made,
      title: 'Two',
      updated_at: answer.body.updated_at,
    })
    expect(answer.body.updated_at > made.updated_at).toBe(true)
    const change = { code: 'puts 3', description: '', visibility: 'public' }
    const changed = await server.inject('PUT', path, { token, body: change })
    expect(changed.body).toMatchObject({ description: null, visibility: 'public' })
    expect((await server.inject('GET', `${path}/raw`, { token })).text).toBe('puts 3')
    expect((await server.inject('GET', path, { token })).body).toEqual(changed.body)
  })

  it('returns 400 without parameters and for invalid ones', async () => {
    const { id } = await create(server.root)
    const put = (body: object) =>
      server.inject('PUT', `/snippets/${id}`, { token: server.root.token, body })
    const none = await put({ description: 'x' })
    expect(none.status).toBe(400)
    expect(none.body).toEqual({
      error:
        'title, file_name, content, visibility are missing, at least one parameter must be provided',
    })
    expect((await put({ title: '' })).body).toEqual({ message: { title: ["can't be blank"] } })
    expect((await put({ content: '' })).body).toEqual({ message: { content: ["can't be blank"] } })
  })

  it('returns 404 for snippets of others, even readable ones', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const { id } = await create(ada, { visibility: 'public' })
    const input = { token: bob.token, body: { title: 'Mine' } }
    expect((await server.inject('PUT', `/snippets/${id}`, input)).status).toBe(404)
    expect((await server.inject('DELETE', `/snippets/${id}`, input)).status).toBe(404)
  })
})

describe('DELETE /snippets/:id', () => {
  it('deletes a snippet, and returns 412 if it was changed since', async () => {
    const ada = await server.buildUser()
    const { id } = await create(ada)
    const path = `/snippets/${id}`
    const headers = { 'if-unmodified-since': new Date(0).toUTCString() }
    expect((await server.inject('DELETE', path, { token: ada.token, headers })).status).toBe(412)
    const deleted = await server.inject('DELETE', path, { token: ada.token })
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await server.inject('DELETE', path, { token: ada.token })).status).toBe(404)
  })
})
