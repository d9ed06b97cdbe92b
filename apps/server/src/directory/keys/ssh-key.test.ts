// GET, POST, DELETE /user/keys, GET /users/:id/keys: own keys; lists of others need a token.
// POST, DELETE /users/:id/keys: administrators.
// A key is unique among all user and deploy keys: 400 for `fingerprint` and `key`.
// 400 for a key that cannot be parsed, or whose type or size a setting forbids.
// `expires_at` is a day. GET reads need the scope `api` or `read_user`.
import { generateKeyPairSync } from 'node:crypto'
import { parsePrivateKey } from 'sshpk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildPublicKey } from '../../testing/git/ssh-key.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ada: TestUser
let bob: TestUser
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.buildUser()
  bob = await server.buildUser()
})

const newKey = (values: object = {}) => ({ title: 'Laptop', key: buildPublicKey(), ...values })
const add = (values: object = {}, user = ada): Promise<Json> =>
  created(server, '/user/keys', newKey(values), user)
const call = (method: string, path: string, user: { token: string } = ada, body?: object) =>
  callAs(server, method, path, user.token, body)

const taken = {
  message: { fingerprint: ['has already been taken'], key: ['has already been taken'] },
}
const keyNotFound = [404, { message: '404 Key Not Found' }]
const userNotFound = [404, { message: '404 User Not Found' }]
const outcome = ({ status, body }: Json) => [status, body]

describe('POST /user/keys', () => {
  it('returns 201 with the key, which is then listed and shown', async () => {
    const values = newKey()
    const { status, body } = await call('POST', '/user/keys', ada, values)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      ...values,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: null,
    })
    expect((await call('GET', '/user/keys')).body).toEqual([body])
    expect((await call('GET', `/user/keys/${body.id}`)).body).toEqual(body)
  })

  it('returns 400 for a key that any user or project has, whatever its comment', async () => {
    const { key } = await add()
    const again = newKey({ key: key.replace(/ test$/, ' other') })
    for (const user of [ada, bob]) {
      expect(outcome(await call('POST', '/user/keys', user, again))).toEqual([400, taken])
    }
    const deployed = await created(server, '/deploy_keys', newKey())
    const body = newKey({ key: deployed.key })
    expect(outcome(await call('POST', '/user/keys', ada, body))).toEqual([400, taken])
  })

  it('accepts only one of two concurrent additions', async () => {
    const values = newKey()
    const post = (user: TestUser) => call('POST', '/user/keys', user, values)
    const answers = await Promise.all([post(ada), post(bob)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })

  it.each([
    [{ title: ' ' }, { title: ["can't be blank"] }],
    [{ title: 'x'.repeat(256) }, { title: ['is too long (maximum is 255 characters)'] }],
    [{ key: 'ssh-rsa x' }, { key: ['is invalid'], fingerprint: ['cannot be generated'] }],
    [
      { key: `ssh-rsa ${'A'.repeat(5000)}` },
      { key: ['is invalid'], fingerprint: ['cannot be generated'] },
    ],
    [{ expires_at: '2019-01-01' }, { expires_at: ['cannot be a date in the past'] }],
  ])('returns 400 for %j', async (values, message) => {
    const answer = await call('POST', '/user/keys', ada, newKey(values))
    expect(outcome(answer)).toEqual([400, { message }])
  })

  it('returns 400 for missing parameters, a bad day and a key of megabytes', async () => {
    const bad = [{ title: undefined }, { key: '' }, { expires_at: 'x' }, { key: 'x'.repeat(2e6) }]
    for (const values of bad) {
      const { status, body } = await call('POST', '/user/keys', ada, newKey(values))
      expect([status, Object.keys(body)]).toEqual([400, ['error']])
    }
  })

  it('keeps the day of expires_at, today or later', async () => {
    const today = new Date(server.app.now()).toISOString().slice(0, 10)
    expect(await add({ expires_at: today })).toMatchObject({ expires_at: today })
    const late = await add({ expires_at: '2999-01-02T03:04:05Z' })
    expect(late).toMatchObject({ expires_at: '2999-01-02' })
  })

  it('returns 401 without a token and 403 with the scope read_user', async () => {
    expect((await callAs(server, 'POST', '/user/keys', undefined, newKey())).status).toBe(401)
    const token = await server.buildToken(ada.id, ['read_user'])
    expect((await call('POST', '/user/keys', { token }, newKey())).status).toBe(403)
    expect((await call('GET', '/user/keys', { token })).status).toBe(200)
  })
})

describe('the settings of key restrictions', () => {
  const pair = (bits: number) =>
    generateKeyPairSync('rsa', {
      modulusLength: bits,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    }).privateKey
  const rsa = (bits: number) => parsePrivateKey(pair(bits), 'pem').toPublic().toString('ssh')

  it('forbid types and small keys of users and of projects', async () => {
    const project = await server.buildProject()
    const both = ['/user/keys', `/projects/${project.id}/deploy_keys`, '/deploy_keys']
    await setSetting(server, 'ed25519_key_restriction', -1)
    await setSetting(server, 'rsa_key_restriction', 2048)
    try {
      for (const path of both) {
        const small = await call('POST', path, server.root, newKey({ key: rsa(1024) }))
        expect(outcome(small)).toEqual([400, { message: { key: ['must be at least 2048 bits'] } }])
        const forbidden = await call('POST', path, server.root, newKey())
        const text = 'type is forbidden. Must be RSA, DSA, or ECDSA'
        expect(outcome(forbidden)).toEqual([400, { message: { key: [text] } }])
        const large = await call('POST', path, server.root, newKey({ key: rsa(2048) }))
        expect(large.status).toBe(201)
      }
    } finally {
      await setSetting(server, 'ed25519_key_restriction', 0)
      await setSetting(server, 'rsa_key_restriction', 0)
    }
  })
})

describe('GET /user/keys', () => {
  it('returns pages, oldest first, of own keys only', async () => {
    const keys = [await add(), await add({}, bob), await add()]
    const { body, headers } = await call('GET', '/user/keys?per_page=1&page=2')
    expect(body).toEqual([keys[2]])
    expect(headers).toMatchObject({ 'x-total': '2', 'x-total-pages': '2' })
    expect(outcome(await call('GET', `/user/keys/${keys[1].id}`))).toEqual(keyNotFound)
    expect((await callAs(server, 'GET', '/user/keys')).status).toBe(401)
  })
})

describe('DELETE /user/keys/:key_id', () => {
  it('returns 204, after which the key can be used again', async () => {
    const { id, key } = await add()
    expect(outcome(await call('DELETE', `/user/keys/${id}`))).toEqual([204, undefined])
    expect(outcome(await call('DELETE', `/user/keys/${id}`))).toEqual(keyNotFound)
    expect(await add({ key }, bob)).toMatchObject({ key })
  })

  it('returns 404 for the key of another user and for a deploy key', async () => {
    const other = await add({}, bob)
    const deployed = await created(server, '/deploy_keys', newKey())
    for (const { id } of [other, deployed]) {
      expect(outcome(await call('DELETE', `/user/keys/${id}`))).toEqual(keyNotFound)
    }
    expect((await call('GET', `/users/${bob.id}/keys`)).body).toEqual([other])
  })
})

describe('GET /users/:id/keys', () => {
  it('returns the keys of a user to every signed-in user', async () => {
    const key = await add()
    expect(outcome(await call('GET', `/users/${ada.id}/keys`, bob))).toEqual([200, [key]])
    const one = await call('GET', `/users/${ada.id}/keys/${key.id}`, bob)
    expect(outcome(one)).toEqual([200, key])
  })

  it('returns 404 for unknown users and keys of others, and 401 without a token', async () => {
    const { id } = await add()
    expect(outcome(await call('GET', '/users/999999/keys'))).toEqual(userNotFound)
    expect(outcome(await call('GET', `/users/${bob.id}/keys/${id}`))).toEqual(keyNotFound)
    expect((await callAs(server, 'GET', `/users/${ada.id}/keys`)).status).toBe(401)
  })
})

describe('POST and DELETE /users/:id/keys', () => {
  it('add and delete a key as administrator', async () => {
    const values = newKey({ expires_at: '2999-01-01' })
    const { status, body } = await call('POST', `/users/${ada.id}/keys`, server.root, values)
    expect([status, body]).toEqual([201, expect.objectContaining(values)])
    expect((await call('GET', '/user/keys')).body).toEqual([body])
    const path = `/users/${ada.id}/keys/${body.id}`
    const stale = { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }
    const { token } = server.root
    expect((await server.inject('DELETE', path, { token, headers: stale })).status).toBe(412)
    expect((await call('DELETE', path, server.root)).status).toBe(204)
    expect(outcome(await call('DELETE', path, server.root))).toEqual(keyNotFound)
  })

  it('return 403 to users, also for their own account, and 404 for unknown users', async () => {
    const { id } = await add()
    expect((await call('POST', `/users/${ada.id}/keys`, ada, newKey())).status).toBe(403)
    expect((await call('DELETE', `/users/${ada.id}/keys/${id}`)).status).toBe(403)
    const unknown = await call('POST', '/users/999999/keys', server.root, newKey())
    expect(outcome(unknown)).toEqual(userNotFound)
  })
})

describe('DELETE /users/:id', () => {
  it('deletes the keys of the user at once', async () => {
    const { id, key } = await add()
    await call('DELETE', `/users/${ada.id}`, server.root)
    expect(outcome(await call('GET', `/keys/${id}`, server.root))).toEqual(keyNotFound)
    expect(await add({ key }, bob)).toMatchObject({ key })
  })
})
