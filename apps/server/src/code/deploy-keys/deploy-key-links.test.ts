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

describe('DELETE /projects/:id/deploy_keys/:key_id', () => {
  const find = async (id: number) => {
    const { body } = await call('GET', '/deploy_keys?per_page=100', undefined, server.root)
    return body.some((key: Json) => key.id === id)
  }

  it('deletes a private key with its last project', async () => {
    const other = await server.buildProject()
    const key = await add(project)
    await add(other, { key: key.key }, server.root)
    expect((await call('DELETE', path(project, `/${key.id}`))).status).toBe(204)
    expect(await find(key.id)).toBe(true)
    await call('DELETE', path(other, `/${key.id}`), undefined, server.root)
    expect(await find(key.id)).toBe(false)
    expect((await add(project, { key: key.key })).id).not.toBe(key.id)
  })

  it('keeps a public key', async () => {
    const body = { title: 'Public', key: buildPublicKey() }
    const shared = await call('POST', '/deploy_keys', body, server.root)
    await add(project, { key: body.key })
    expect((await call('DELETE', path(project, `/${shared.body.id}`))).status).toBe(204)
    expect(await find(shared.body.id)).toBe(true)
  })

  it('returns 412 when the key changed since', async () => {
    const key = await add(project)
    const remove = (since: number) =>
      server.inject('DELETE', path(project, `/${key.id}`), {
        token: maintainer.token,
        headers: { 'if-unmodified-since': new Date(since).toUTCString() },
      })
    expect((await remove(Date.now() - 60_000)).status).toBe(412)
    expect((await remove(Date.now() + 60_000)).status).toBe(204)
  })

  it('returns 404 for a key that is not enabled in the project', async () => {
    const key = await add(await server.buildProject(), {}, server.root)
    expect((await call('DELETE', path(project, `/${key.id}`))).status).toBe(404)
    expect(await find(key.id)).toBe(true)
  })

  it('is implied by deleting the project', async () => {
    const key = await add(project)
    const other = await server.buildProject()
    const kept = await add(project)
    await add(other, { key: kept.key }, server.root)
    await call('DELETE', `/projects/${project.id}`, undefined, server.root)
    expect([await find(key.id), await find(kept.id)]).toEqual([false, true])
  })
})

describe('POST /projects/:id/deploy_keys/:key_id/enable', () => {
  it('enables a key that the caller can see in another project', async () => {
    const other = await server.buildProject()
    await server.addMember(`projects/${other.id}`, maintainer.id, 40)
    const { can_push: _, ...key } = await add(other, { can_push: true }, server.root)
    const answer = await call('POST', path(project, `/${key.id}/enable`))
    expect([answer.status, answer.body]).toEqual([201, key])
    expect((await call('GET', path(project, `/${key.id}`))).body.can_push).toBe(false)
    expect((await call('POST', path(project, `/${key.id}/enable`))).status).toBe(201)
  })

  it('enables public keys', async () => {
    const body = { title: 'Public', key: buildPublicKey() }
    const shared = await call('POST', '/deploy_keys', body, server.root)
    const answer = await call('POST', path(project, `/${shared.body.id}/enable`))
    expect([answer.status, answer.body]).toEqual([201, shared.body])
  })

  it('returns 404 for a key that the caller cannot see', async () => {
    const open = await server.buildProject({ visibility: 'public' })
    const developed = await server.buildProject()
    await server.addMember(`projects/${developed.id}`, maintainer.id, 30)
    for (const other of [open, developed]) {
      const key = await add(other, {}, server.root)
      const answer = await call('POST', path(project, `/${key.id}/enable`))
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Deploy Key Not Found' }])
      const byRoot = await call('POST', path(project, `/${key.id}/enable`), {}, server.root)
      expect(byRoot.status).toBe(201)
    }
    expect((await call('POST', path(project, '/999999/enable'))).status).toBe(404)
  })
})

describe('/deploy_keys', () => {
  it('lists the keys of all projects, for administrators only', async () => {
    const { can_push: _, ...key } = await add(project)
    const query = 'per_page=100'
    const { status, body } = await server.inject('GET', '/deploy_keys', {
      token: server.root.token,
      query,
    })
    expect(status).toBe(200)
    expect(body).toContainEqual(key)
    expect((await call('GET', '/deploy_keys')).status).toBe(403)
    const sent = { title: 'x', key: buildPublicKey() }
    expect((await call('POST', '/deploy_keys', sent)).status).toBe(403)
    expect((await call('DELETE', `/deploy_keys/${key.id}`)).status).toBe(403)
  })

  it('creates public keys, each key once', async () => {
    const body = { title: 'Public', key: buildPublicKey() }
    const answer = await call('POST', '/deploy_keys', body, server.root)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject(body)
    const again = await call('POST', '/deploy_keys', body, server.root)
    expect([again.status, again.body]).toEqual([400, takenBody])
  })

  it('removes a key from all projects', async () => {
    const key = await add(project)
    const gone = await call('DELETE', `/deploy_keys/${key.id}`, undefined, server.root)
    expect(gone.status).toBe(204)
    expect((await call('GET', path(project))).body).toEqual([])
    const again = await call('DELETE', `/deploy_keys/${key.id}`, undefined, server.root)
    expect(again.status).toBe(404)
  })
})
