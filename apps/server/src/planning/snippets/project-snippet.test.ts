import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const texts = { title: 'One', file_name: 'one.rb', code: 'puts 1', visibility: 'private' }

type User = Awaited<ReturnType<TestServer['buildUser']>>

async function member(project: Json, level: number): Promise<User> {
  const user = await server.buildUser()
  await server.addMember(`projects/${project.id}`, user.id, level)
  return user
}

async function create(project: Json, user: { token: string }, body: object = {}): Promise<Json> {
  const path = `/projects/${project.id}/snippets`
  const input = { token: user.token, body: { ...texts, ...body } }
  const answer = await server.inject('POST', path, input)
  expect(answer.status).toBe(201)
  return answer.body
}

describe('POST /projects/:id/snippets', () => {
  it('creates a snippet in the project, from Reporter on', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const [reporter, guest] = [await member(project, 20), await member(project, 10)]
    const made = await create(project, reporter)
    expect(made).toEqual({
      id: expect.any(Number),
      title: 'One',
      file_name: 'one.rb',
      description: null,
      visibility: 'private',
      author: expect.objectContaining({ id: reporter.id }),
      created_at: expect.any(String),
      updated_at: made.created_at,
      project_id: project.id,
      web_url: `http://stithy.test/${project.path_with_namespace}/snippets/${made.id}`,
    })
    const path = `/projects/${project.id}/snippets`
    const refused = await server.inject('POST', path, { token: guest.token, body: texts })
    expect(refused.status).toBe(403)
  })

  it('returns 400 for missing or blank parameters', async () => {
    const project = await server.buildProject()
    const post = async (changes: object) => {
      const input = { token: server.root.token, body: { ...texts, ...changes } }
      return server.inject('POST', `/projects/${project.id}/snippets`, input)
    }
    expect((await post({ title: undefined })).body).toEqual({ error: 'title is missing' })
    expect((await post({ code: undefined })).status).toBe(400)
    expect((await post({ code: ' ' })).body).toEqual({ message: { content: ["can't be blank"] } })
    expect((await post({ file_name: 'a'.repeat(256) })).status).toBe(400)
  })

  it('returns 403 in archived projects, and while snippets are disabled', async () => {
    const project = await server.buildProject()
    const { id } = await create(project, server.root)
    const path = `/projects/${project.id}`
    const { token } = server.root
    await server.inject('POST', `${path}/archive`, { token })
    const one = `${path}/snippets/${id}`
    expect((await server.inject('POST', `${path}/snippets`, { token, body: texts })).status).toBe(
      403,
    )
    expect((await server.inject('PUT', one, { token, body: texts })).status).toBe(403)
    expect((await server.inject('DELETE', one, { token })).status).toBe(403)
    expect((await server.inject('GET', one, { token })).status).toBe(200)
    await server.inject('POST', `${path}/unarchive`, { token })
    await server.inject('PUT', path, { token, body: { snippets_access_level: 'disabled' } })
    expect((await server.inject('GET', `${path}/snippets`, { token })).status).toBe(403)
    expect((await server.inject('GET', `/snippets/${id}`, { token })).status).toBe(404)
  })
})

describe('GET /projects/:id/snippets', () => {
  it('lists what the caller may read, consistently with single reads', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const reporter = await member(project, 20)
    const made: Json[] = []
    for (const visibility of ['private', 'internal', 'public']) {
      made.push(await create(project, reporter, { title: visibility, visibility }))
    }
    const callers = [
      await member(project, 10),
      await server.buildUser(),
      await server.buildUser({ external: true }),
    ]
    const path = `/projects/${project.id}/snippets`
    const expected = [['public', 'internal', 'private'], ['public', 'internal'], ['public']]
    for (const [index, { token }] of callers.entries()) {
      const answer = await server.inject('GET', path, { token })
      const visibleTitles = expected[index]
      expect(answer.body.map(({ title }: Json) => title)).toEqual(visibleTitles)
      expect(answer.headers['x-total']).toBe(String(visibleTitles?.length))
      for (const { id, title } of made) {
        const one = await server.inject('GET', `${path}/${id}`, { token })
        expect(one.status).toBe(visibleTitles?.includes(title) ? 200 : 404)
      }
    }
  })

  it('returns 404 in a hidden project', async () => {
    const project = await server.buildProject()
    const { token } = await server.buildUser()
    const answer = await server.inject('GET', `/projects/${project.id}/snippets`, { token })
    expect(answer.body).toEqual({ message: '404 Project Not Found' })
  })
})

describe('GET /projects/:id/snippets/:snippet_id', () => {
  it('returns 404 for snippets of other projects and personal ones', async () => {
    const [one, other] = [await server.buildProject(), await server.buildProject()]
    const { id } = await create(one, server.root)
    const { token } = server.root
    const answer = await server.inject('GET', `/projects/${other.id}/snippets/${id}`, { token })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ message: '404 Snippet Not Found' })
    const body = { title: 'a', file_name: 'a', content: 'a' }
    const own = await server.inject('POST', '/snippets', { token, body })
    const path = `/projects/${one.id}/snippets/${own.body.id}`
    expect((await server.inject('GET', path, { token })).status).toBe(404)
  })
})

describe('GET /projects/:id/snippets/:snippet_id/raw', () => {
  it('returns the content as text', async () => {
    const project = await server.buildProject()
    const { id } = await create(project, server.root, { code: '<b>' })
    const path = `/projects/${project.id}/snippets/${id}/raw`
    const raw = await server.inject('GET', path, { token: server.root.token })
    expect(raw.text).toBe('<b>')
    expect(raw.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('PUT and DELETE /projects/:id/snippets/:snippet_id', () => {
  it('are for the author and for maintainers; internal snippets are for the author only', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const [author, developer, maintainer] = [
      await member(project, 20),
      await member(project, 30),
      await member(project, 40),
    ]
    const one = await create(project, author)
    const internal = await create(project, author, { visibility: 'internal' })
    const path = (id: number) => `/projects/${project.id}/snippets/${id}`
    const body = { title: 'Two' }
    const statuses = async (id: number) => {
      const all: number[] = []
      for (const { token } of [developer, maintainer, author, server.root]) {
        all.push((await server.inject('PUT', path(id), { token, body })).status)
      }
      return all
    }
    expect(await statuses(one.id)).toEqual([403, 200, 200, 200])
    expect(await statuses(internal.id)).toEqual([403, 403, 200, 200])
    const remove = async (user: User, id: number) =>
      (await server.inject('DELETE', path(id), { token: user.token })).status
    expect(await remove(developer, one.id)).toBe(403)
    expect(await remove(maintainer, internal.id)).toBe(403)
    expect(await remove(maintainer, one.id)).toBe(204)
    expect(await remove(author, internal.id)).toBe(204)
    expect(await remove(author, internal.id)).toBe(404)
  })

  it('change the description alone, too', async () => {
    const project = await server.buildProject()
    const { id } = await create(project, server.root)
    const path = `/projects/${project.id}/snippets/${id}`
    const { token } = server.root
    const answer = await server.inject('PUT', path, { token, body: { description: 'About' } })
    expect(answer.body).toMatchObject({ title: 'One', description: 'About' })
    const none = await server.inject('PUT', path, { token, body: {} })
    expect(none.status).toBe(400)
    expect(none.body.error).toMatch(/are missing, at least one parameter must be provided$/)
  })
})
