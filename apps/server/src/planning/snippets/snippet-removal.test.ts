import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

describe('DELETE /users/:id', () => {
  it('deletes personal snippets, and moves project snippets to the ghost user', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject({ visibility: 'public' })
    await server.addMember(`projects/${project.id}`, ada.id, 30)
    const own = await create(ada, { visibility: 'public' })
    const path = `/projects/${project.id}/snippets`
    const body = { ...texts, visibility: 'public' }
    const made = await server.inject('POST', path, { token: ada.token, body })
    const { token } = server.root
    expect((await server.inject('DELETE', `/users/${ada.id}`, { token })).status).toBe(204)
    await server.runJobs()
    expect((await server.inject('GET', `/snippets/${own.id}`, { token })).status).toBe(404)
    const left = await server.inject('GET', `${path}/${made.body.id}`, { token })
    expect(left.body.author.username).toBe('ghost')
  })

  it('also deletes project snippets with `hard_delete`', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject({ visibility: 'public' })
    await server.addMember(`projects/${project.id}`, ada.id, 30)
    const path = `/projects/${project.id}/snippets`
    const made = await server.inject('POST', path, { token: ada.token, body: texts })
    const { token } = server.root
    await server.inject('POST', `${path}/${made.body.id}/notes`, { token, body: { body: 'Hm' } })
    const removed = { token, query: 'hard_delete=true' }
    expect((await server.inject('DELETE', `/users/${ada.id}`, removed)).status).toBe(204)
    await server.runJobs()
    expect((await server.inject('GET', path, { token })).body).toEqual([])
    const events = await server.inject('GET', `/projects/${project.id}/events`, {
      token,
      query: 'action=commented',
    })
    expect(events.body).toEqual([])
  })
})
