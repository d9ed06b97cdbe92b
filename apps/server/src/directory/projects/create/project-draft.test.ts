import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'
import { insertDraft } from './project-create.service.ts'
import { repositoryOfId } from './project-repository.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const create = (token: string | undefined, body: unknown) =>
  server.inject('POST', '/projects', { ...(token === undefined ? {} : { token }), body })

describe('POST /projects concurrently with other writes', () => {
  it('never gives a project and a subgroup the same path', async () => {
    const group = await server.buildGroup()
    const { token } = server.root
    const answers = await Promise.all([
      create(token, { name: 'same', namespace_id: group.id }),
      server.inject('POST', '/groups', {
        token,
        body: { name: 'same', path: 'same', parent_id: group.id },
      }),
    ])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 400])
  })

  it('uses the path of a renamed group, and fails in a deleted one', async () => {
    const { token } = server.root
    const renamed = await server.buildGroup()
    const [made] = await Promise.all([
      create(token, { name: 'inside', namespace_id: renamed.id }),
      server.inject('PUT', `/groups/${renamed.id}`, { token, body: { path: 'renamed-meanwhile' } }),
    ])
    const shown = await server.inject('GET', `/projects/${made.body.id}`, { token })
    expect(shown.body.path_with_namespace).toBe('renamed-meanwhile/inside')
    const deleted = await server.buildGroup()
    const [late] = await Promise.all([
      create(token, { name: 'late', namespace_id: deleted.id }),
      server.inject('DELETE', `/groups/${deleted.id}`, { token }),
    ])
    if (late.status === 201) {
      const deleted = await server.inject('GET', `/projects/${late.body.id}`, { token })
      expect(deleted.status).toBe(404)
    } else {
      expect(late.body).toEqual({ message: { namespace: ['is not valid'] } })
    }
    await server.runJobs()
  })
})

describe('a creation interrupted by a crash', () => {
  it('is hidden, blocks no name, and is removed by its job', async () => {
    const user = await server.buildUser()
    const namespace = await namespaceOf(user.username)
    const id = await insertDraft(server.app, namespace.id, 'default')
    const shown = await server.inject('GET', `/projects/${id}`, { token: server.root.token })
    expect(shown.status).toBe(404)
    const list = await server.inject('GET', `/users/${user.id}/projects`, {
      token: server.root.token,
    })
    expect(list.body).toEqual([])
    server.advance(2 * 3_600_000)
    await server.runJobs()
    const row = await server.app.db.first('test.draft', { id }, (db, $) =>
      db.selectFrom('projects').select('id').where('id', '=', $('id')),
    )
    expect(row).toBeUndefined()
  })

  it('leaves published projects alone when its job runs', async () => {
    const project = await server.buildProject()
    server.advance(2 * 3_600_000)
    await server.runJobs()
    const shown = await server.inject('GET', `/projects/${project.id}`, {
      token: server.root.token,
    })
    expect(shown.status).toBe(200)
    expect(existsSync(repositoryOfId(server.app, project.id, 'default').path)).toBe(true)
  })
})

describe('POST /projects/user/:user_id', () => {
  it('creates in the namespace of the user, for administrators', async () => {
    const user = await server.buildUser()
    const { status, body } = await server.inject('POST', `/projects/user/${user.id}`, {
      token: server.root.token,
      body: { name: 'given' },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      path_with_namespace: `${user.username}/given`,
      creator_id: user.id,
    })
  })

  it('returns 403 to other callers, 404 for an unknown user, 400 without a name', async () => {
    const user = await server.buildUser()
    const path = `/projects/user/${user.id}`
    const body = { name: 'x' }
    expect((await server.inject('POST', path, { token: user.token, body })).status).toBe(403)
    const { token } = server.root
    const nobody = await server.inject('POST', '/projects/user/99999', { token, body })
    expect(nobody.status).toBe(404)
    expect(nobody.body).toEqual({ message: '404 User Not Found' })
    const nameless = await server.inject('POST', path, { token, body: { path: 'x' } })
    expect(nameless.body).toEqual({ error: 'name is missing' })
  })
})

async function namespaceOf(username: string): Promise<{ id: number }> {
  const { body } = await server.inject('GET', `/namespaces/${username}`, {
    token: server.root.token,
  })
  return body
}
