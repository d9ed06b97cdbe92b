import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
import {
  buildTestServer,
  type InjectedAnswer,
  type Json,
  type TestServer,
} from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let maintainer: TestUser

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject()
  maintainer = await memberOf(project, 40)
})

async function memberOf(of: Json, level: number): Promise<TestUser> {
  const user = await server.buildUser()
  await server.addMember(`projects/${of.id}`, user.id, level)
  return user
}

const path = (of: Json, end = '') => `/projects/${of.id}/deploy_keys${end}`

async function call(
  method: string,
  where: string,
  body?: object,
  who: { token: string } = maintainer,
): Promise<InjectedAnswer> {
  return server.inject(method, where, { token: who.token, ...(body ? { body } : {}) })
}

async function add(of: Json, values: object = {}, who?: { token: string }): Promise<Json> {
  const body = { title: 'Machine', key: buildPublicKey(), ...values }
  const answer = await call('POST', path(of), body, who)
  expect(answer.status).toBe(201)
  return answer.body
}

const takenBody = {
  message: { fingerprint: ['has already been taken'], key: ['has already been taken'] },
}

describe('POST /projects/:id/deploy_keys', () => {
  it('returns 201 with the key, and enables it in the project', async () => {
    const key = buildPublicKey()
    const body = await add(project, { title: 'Machine', key: `  ${key}\n`, can_push: 'true' })
    expect(body).toEqual({
      id: expect.any(Number),
      title: 'Machine',
      key,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      can_push: true,
    })
    expect((await call('GET', path(project))).body).toEqual([body])
    expect((await call('GET', path(project, `/${body.id}`))).body).toEqual(body)
  })

  it('grants read access unless can_push is sent', async () => {
    expect((await add(project)).can_push).toBe(false)
  })

  it('returns 201 with the existing key, unchanged', async () => {
    const first = await add(project, { title: 'First', can_push: true })
    const again = await add(project, { title: 'Second', key: first.key, can_push: false })
    expect(again).toEqual(first)
    expect((await call('GET', path(project))).headers['x-total']).toBe('1')
  })

  it('links a key of a project that the caller can see, and keeps its title', async () => {
    const other = await server.buildProject()
    await server.addMember(`projects/${other.id}`, maintainer.id, 10)
    const first = await add(other, { title: 'First' }, server.root)
    const linked = await add(project, { title: 'Second', key: first.key, can_push: true })
    expect(linked).toEqual({ ...first, can_push: true })
    const open = await server.buildProject({ visibility: 'public' })
    const shown = await add(open, {}, server.root)
    expect((await add(project, { key: shown.key })).id).toBe(shown.id)
  })

  it('returns 400 for a key of a project that the caller cannot see', async () => {
    const hidden = await add(await server.buildProject(), {}, server.root)
    const answer = await call('POST', path(project), { title: 'x', key: hidden.key })
    expect([answer.status, answer.body]).toEqual([400, takenBody])
    const comment = await call('POST', path(project), { title: 'x', key: `${hidden.key} other` })
    expect(comment.status).toBe(400)
    const byRoot = await call('POST', path(project), { title: 'x', key: hidden.key }, server.root)
    expect(byRoot.body.id).toBe(hidden.id)
  })

  it('returns 400 for the SSH key of a user', async () => {
    const first = await add(project)
    await server.app.db.run('test.person', { id: first.id, userId: maintainer.id }, (db, $) =>
      db
        .updateTable('sshKeys')
        .set({ kind: 'user', userId: $('userId') })
        .where('id', '=', $('id')),
    )
    const answer = await call('POST', path(project), { title: 'x', key: first.key }, server.root)
    expect([answer.status, answer.body]).toEqual([400, takenBody])
  })

  it.each([
    [{ title: undefined }, { error: 'title is missing' }],
    [{ key: undefined }, { error: 'key is missing' }],
    [{ title: '   ' }, { message: { title: ["can't be blank"] } }],
    [
      { title: 'x'.repeat(256) },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    [{ title: 'a\nb' }, { message: { title: ['is invalid'] } }],
    [{ can_push: 'perhaps' }, { error: 'can_push is invalid' }],
    [
      { key: 'ssh-rsa nonsense' },
      { message: { key: ['is invalid'], fingerprint: ['cannot be generated'] } },
    ],
  ])('answers 400 to %j', async (values, body) => {
    const sent = { title: 'x', key: buildPublicKey(), ...values }
    const answer = await call('POST', path(project), sent)
    expect([answer.status, answer.body]).toEqual([400, body])
    expect((await call('GET', path(project))).body).toEqual([])
  })

  it('creates one key for concurrent requests', async () => {
    const body = { title: 'x', key: buildPublicKey() }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call('POST', path(project), body)),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
  })
})

describe('access to the deploy keys of a project', () => {
  it('returns 403 below Maintainer, and 404 to non-members', async () => {
    const key = await add(project)
    const body = { title: 'x', key: buildPublicKey() }
    const calls: [string, string, object?][] = [
      ['GET', path(project)],
      ['GET', path(project, `/${key.id}`)],
      ['POST', path(project), body],
      ['PUT', path(project, `/${key.id}`), { title: 'y' }],
      ['DELETE', path(project, `/${key.id}`)],
      ['POST', path(project, `/${key.id}/enable`)],
    ]
    const developer = await memberOf(project, 30)
    const stranger = await server.buildUser()
    for (const [method, where, sent] of calls) {
      expect((await call(method, where, sent, developer)).status).toBe(403)
      expect((await call(method, where, sent, stranger)).status).toBe(404)
    }
  })

  it('returns 403 to changes in an archived project', async () => {
    const key = await add(project)
    await call('POST', `/projects/${project.id}/archive`, undefined, server.root)
    expect((await call('GET', path(project))).status).toBe(200)
    const answer = await call('DELETE', path(project, `/${key.id}`))
    expect(answer.status).toBe(403)
    expect(answer.body.message).toMatch(/archived/)
  })

  it('returns 403 when the repository is disabled', async () => {
    await call(
      'PUT',
      `/projects/${project.id}`,
      { repository_access_level: 'disabled' },
      server.root,
    )
    expect((await call('GET', path(project))).status).toBe(403)
  })
})

describe('GET /projects/:id/deploy_keys', () => {
  it('paginates, oldest first', async () => {
    const ids: number[] = []
    for (let i = 0; i < 3; i += 1) ids.push((await add(project)).id)
    const answer = await server.inject('GET', path(project), {
      token: maintainer.token,
      query: 'per_page=2&page=2',
    })
    expect(answer.body.map((key: Json) => key.id)).toEqual(ids.slice(2))
    expect(answer.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2' })
  })

  it('returns 404 for a key of another project', async () => {
    const key = await add(await server.buildProject(), {}, server.root)
    const answer = await call('GET', path(project, `/${key.id}`))
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Deploy Key Not Found' }])
  })
})

describe('PUT /projects/:id/deploy_keys/:key_id', () => {
  it('changes the title in all projects, and can_push in this project only', async () => {
    const other = await server.buildProject()
    const key = await add(project)
    await add(other, { key: key.key }, server.root)
    const changes = { title: 'Other', can_push: true }
    const answer = await call('PUT', path(project, `/${key.id}`), changes)
    expect([answer.status, answer.body]).toEqual([200, { ...key, ...changes }])
    const there = await call('GET', path(other, `/${key.id}`), undefined, server.root)
    expect(there.body).toMatchObject({ title: 'Other', can_push: false })
  })

  it('keeps what is not sent', async () => {
    const key = await add(project, { can_push: true })
    const renamed = await call('PUT', path(project, `/${key.id}`), { title: 'Other' })
    expect(renamed.body).toEqual({ ...key, title: 'Other' })
    const limited = await call('PUT', path(project, `/${key.id}`), { can_push: false })
    expect(limited.body).toEqual({ ...key, title: 'Other', can_push: false })
  })

  it('returns 400 without a parameter and for an invalid title, and 404 for another key', async () => {
    const key = await add(project)
    const where = path(project, `/${key.id}`)
    expect((await call('PUT', where, {})).body).toEqual({
      error: 'title, can_push are missing, at least one parameter must be provided',
    })
    expect((await call('PUT', where, { title: ' ' })).status).toBe(400)
    expect((await call('PUT', path(project, '/999999'), { title: 'x' })).status).toBe(404)
  })

  it('returns 403 for a public key, except to administrators', async () => {
    const body = { title: 'Public', key: buildPublicKey() }
    const shared = await call('POST', '/deploy_keys', body, server.root)
    await add(project, { key: body.key })
    const where = path(project, `/${shared.body.id}`)
    expect((await call('PUT', where, { title: 'Mine' })).status).toBe(403)
    expect((await call('PUT', where, { title: 'Ours' }, server.root)).body.title).toBe('Ours')
  })
})
