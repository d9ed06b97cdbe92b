// GET, POST, DELETE /user/gpg_keys and POST .../revoke (202): own keys {`id`, `key`, `created_at`}.
// The same under /users/:id/gpg_keys: administrators. 400 for an unparsable or taken key.
import { readKey, UserIDPacket } from 'openpgp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildGpgKey } from '../../testing/git/gpg-key.ts'
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

const call = (method: string, path: string, user: { token: string } = ada, body?: object) =>
  callAs(server, method, path, user.token, body)
const newKey = async () => (await buildGpgKey('ada@example.com')).publicKey
const add = async (user = ada, key?: string): Promise<Json> =>
  created(server, '/user/gpg_keys', { key: key ?? (await newKey()) }, user)
const outcome = ({ status, body }: Json) => [status, body]
const notFound = [404, { message: '404 GPG Key Not Found' }]
const header = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const invalid = [
  400,
  { message: { key: [`is invalid. A valid public GPG key begins with '${header}'`] } },
]

describe('POST /user/gpg_keys', () => {
  it('returns 201 with the key, which is then listed and shown', async () => {
    const key = await newKey()
    const { status, body } = await call('POST', '/user/gpg_keys', ada, { key: `\n${key}\n` })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      key,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect((await call('GET', '/user/gpg_keys')).body).toEqual([body])
    expect(outcome(await call('GET', `/user/gpg_keys/${body.id}`))).toEqual([200, body])
  })

  it('returns 400 for a key that any user has', async () => {
    const { key } = await add()
    const taken = {
      message: { fingerprint: ['has already been taken'], key: ['has already been taken'] },
    }
    for (const user of [ada, bob]) {
      expect(outcome(await call('POST', '/user/gpg_keys', user, { key }))).toEqual([400, taken])
    }
  })

  it('returns 400 for what is not one public key', async () => {
    const { privateKey, publicKey } = await buildGpgKey('ada@example.com')
    const bad = [
      'x',
      `x\n${publicKey}`,
      `${header}\n\nnonsense\n-----END PGP PUBLIC KEY BLOCK-----`,
      privateKey,
      privateKey.replaceAll('PRIVATE', 'PUBLIC'),
      publicKey.slice(0, publicKey.length / 2),
    ]
    for (const key of bad) {
      expect(outcome(await call('POST', '/user/gpg_keys', ada, { key }))).toEqual(invalid)
    }
  })

  it('returns 400 for a key that has not certified its user ID', async () => {
    const { publicKey } = await buildGpgKey('victim@example.com')
    const key = await readKey({ armoredKey: publicKey })
    const [user] = key.users
    if (user === undefined) throw new Error('no user ID')
    Object.assign(user, {
      userID: UserIDPacket.fromObject({ name: 'Mallory', email: ada.email }),
    })
    const answer = await call('POST', '/user/gpg_keys', ada, { key: key.armor() })
    expect(outcome(answer)).toEqual(invalid)
  })

  it('returns 400 for a key that is too long, and without one', async () => {
    const long = await call('POST', '/user/gpg_keys', ada, { key: 'x'.repeat(66_000) })
    expect(outcome(long)).toEqual([
      400,
      { message: { key: ['is too long (maximum is 65536 characters)'] } },
    ])
    for (const key of ['x'.repeat(1e6), '', undefined]) {
      expect((await call('POST', '/user/gpg_keys', ada, { key })).body).toHaveProperty('error')
    }
  })

  it('returns 401 without a token, and 403 with the scope read_user', async () => {
    const token = await server.buildToken(ada.id, ['read_user'])
    expect((await call('POST', '/user/gpg_keys', { token }, { key: 'x' })).status).toBe(403)
    expect((await call('GET', '/user/gpg_keys', { token })).status).toBe(200)
    expect((await callAs(server, 'GET', '/user/gpg_keys')).status).toBe(401)
  })
})

describe('GET /user/gpg_keys', () => {
  it('returns pages of own keys only', async () => {
    const keys = [await add(), await add(bob), await add()]
    const { body, headers } = await call('GET', '/user/gpg_keys?per_page=1&page=2')
    expect(body).toEqual([keys[2]])
    expect(headers).toMatchObject({ 'x-total': '2' })
    expect(outcome(await call('GET', `/user/gpg_keys/${keys[1].id}`))).toEqual(notFound)
  })
})

describe('DELETE and POST revoke /user/gpg_keys/:key_id', () => {
  it('remove the key, which can then be added again', async () => {
    const first = await add()
    const path = `/user/gpg_keys/${first.id}`
    expect(outcome(await call('DELETE', path))).toEqual([204, undefined])
    expect(outcome(await call('DELETE', path))).toEqual(notFound)
    const { id } = await add(bob, first.key)
    const revoke = () => call('POST', `/user/gpg_keys/${id}/revoke`, bob)
    expect(outcome(await revoke())).toEqual([202, { message: '202 Accepted' }])
    expect(outcome(await revoke())).toEqual(notFound)
    expect((await call('GET', '/user/gpg_keys', bob)).body).toEqual([])
  })

  it('return 404 for the key of another user', async () => {
    const { id } = await add(bob)
    expect(outcome(await call('DELETE', `/user/gpg_keys/${id}`))).toEqual(notFound)
    expect(outcome(await call('POST', `/user/gpg_keys/${id}/revoke`))).toEqual(notFound)
  })
})

describe('/users/:id/gpg_keys', () => {
  it('lists, shows, adds, revokes and deletes keys as administrator', async () => {
    const path = `/users/${ada.id}/gpg_keys`
    const own = await add()
    const { body } = await call('POST', path, server.root, { key: await newKey() })
    expect((await call('GET', path, server.root)).body).toEqual([own, body])
    expect((await call('GET', `${path}/${own.id}`, server.root)).body).toEqual(own)
    expect((await call('POST', `${path}/${own.id}/revoke`, server.root)).status).toBe(202)
    expect((await call('DELETE', `${path}/${body.id}`, server.root)).status).toBe(204)
    expect(outcome(await call('GET', `${path}/${body.id}`, server.root))).toEqual(notFound)
    expect((await call('GET', path, server.root)).body).toEqual([])
  })

  it('returns 403 to users and 404 for unknown users', async () => {
    const { id } = await add()
    expect((await call('GET', `/users/${ada.id}/gpg_keys`)).status).toBe(403)
    expect((await call('POST', `/users/${ada.id}/gpg_keys/${id}/revoke`)).status).toBe(403)
    const unknown = await call('GET', '/users/999999/gpg_keys', server.root)
    expect(outcome(unknown)).toEqual([404, { message: '404 User Not Found' }])
  })
})
