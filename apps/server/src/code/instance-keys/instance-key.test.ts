// GET /keys/:id: administrators; the key with its user; deploy keys are found too.
// GET /keys?fingerprint=: MD5 or SHA256; deploy keys have `deploy_keys_projects`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPublicKey } from '../../directory/keys/public-key.ts'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ada: TestUser
let key: Json
let deployed: Json
let project: Json
beforeAll(async () => {
  server = await buildTestServer()
  ada = await server.buildUser()
  project = await server.buildProject({}, ada)
  const values = () => ({ title: 'Laptop', key: buildPublicKey() })
  key = await created(server, '/user/keys', values(), ada)
  const path = `/projects/${project.id}/deploy_keys`
  deployed = await created(server, path, { ...values(), can_push: true }, ada)
})
afterAll(() => server.close())

const get = (path: string, token: string | undefined = server.root.token) =>
  callAs(server, 'GET', path, token)
const find = (fingerprint: string) => get(`/keys?fingerprint=${encodeURIComponent(fingerprint)}`)

describe('GET /keys/:id', () => {
  it('returns the key with the own shape of its user', async () => {
    const { body: user } = await get('/user', ada.token)
    const { status, body } = await get(`/keys/${key.id}`)
    expect([status, body]).toEqual([200, { ...key, user }])
  })

  it('returns a deploy key with its creator and its projects', async () => {
    const { body } = await get(`/keys/${deployed.id}`)
    const { can_push, ...shape } = deployed
    expect(body).toEqual({
      ...shape,
      expires_at: null,
      user: expect.objectContaining({ id: ada.id, email: ada.email }),
      deploy_keys_projects: [
        {
          deploy_key_id: deployed.id,
          project_id: project.id,
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
          can_push,
        },
      ],
    })
  })

  it('has no user once the creator of a deploy key is deleted', async () => {
    const creator = await server.buildUser({ admin: true })
    const body = { title: 'Machine', key: buildPublicKey() }
    const { id } = await created(server, '/deploy_keys', body, creator)
    await callAs(server, 'DELETE', `/users/${creator.id}`, server.root.token)
    expect((await get(`/keys/${id}`)).body).toMatchObject({ user: null, deploy_keys_projects: [] })
    await server.runJobs()
    expect((await get(`/keys/${id}`)).body).toMatchObject({ user: null })
  })

  it('returns 404 for an unknown key, 403 to users and 401 without a token', async () => {
    const { status, body } = await get('/keys/999999')
    expect([status, body]).toEqual([404, { message: '404 Key Not Found' }])
    expect((await get(`/keys/${key.id}`, ada.token)).status).toBe(403)
    expect((await callAs(server, 'GET', `/keys/${key.id}`)).status).toBe(401)
  })
})

describe('GET /keys?fingerprint=', () => {
  it('finds keys of users and deploy keys by SHA256 and by MD5', async () => {
    for (const { id, key: line } of [key, deployed]) {
      const { fingerprint, fingerprintMd5 } = await readPublicKey(line)
      const { body: expected } = await get(`/keys/${id}`)
      const spellings = [fingerprint, `${fingerprint}=`, fingerprintMd5, `MD5:${fingerprintMd5}`]
      for (const spelling of spellings) {
        const { status, body } = await find(spelling)
        expect([status, body]).toEqual([200, expected])
      }
    }
  })

  it('returns 404 for an unknown fingerprint and 400 for none', async () => {
    const { status, body } = await find((await readPublicKey(buildPublicKey())).fingerprint)
    expect([status, body]).toEqual([404, { message: '404 Key Not Found' }])
    const bad = await find('abc')
    expect([bad.status, bad.body]).toEqual([400, { message: 'Failed to return the key' }])
    expect((await get('/keys')).body).toEqual({ error: 'fingerprint is missing' })
    expect((await find('x'.repeat(5000))).status).toBe(400)
  })

  it('returns 403 to users', async () => {
    expect((await get('/keys?fingerprint=x', ada.token)).status).toBe(403)
  })
})
