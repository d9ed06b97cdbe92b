// GET, POST, DELETE /user/emails: {`id`, `email`}, secondary addresses only; 400 when taken.
// GET, POST, DELETE /users/:id/emails: administrators; `skip_confirmation`.
// An address that is not confirmed counts for nothing; a confirmed one where the primary one does.
// GET /users/confirmation?confirmation_token= confirms.
import { findCredentials, findUserIdByEmail } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../../testing/clients/calls.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { confirmationToken } from '../../../testing/fixtures/emails.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

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

let count = 0
const newAddress = () => `second${++count}@Example.com`
const call = (method: string, path: string, user: { token: string } = ada, body?: object) =>
  callAs(server, method, path, user.token, body)
const add = (email = newAddress(), user = ada): Promise<Json> =>
  created(server, '/user/emails', { email }, user)
const outcome = ({ status, body }: Json) => [status, body]
const taken = [400, { message: { email: ['has already been taken'] } }]
const notFound = [404, { message: '404 Email Not Found' }]

const tokenOf = (address: string) => confirmationToken(server, address)
const open = (token: string) =>
  server.inject('GET', '//users/confirmation', { query: `confirmation_token=${token}` })
const confirm = async (address: string) => open(await tokenOf(address))
const ownerOf = (address: string) => findUserIdByEmail(server.app.db, address)
const loginOf = async (address: string) => (await findCredentials(server.app.db, address))?.id

describe('POST /user/emails', () => {
  it('returns 201 with the address, which is then listed and shown', async () => {
    const email = newAddress()
    const { status, body } = await call('POST', '/user/emails', ada, { email })
    expect([status, body]).toEqual([201, { id: expect.any(Number), email }])
    expect((await call('GET', '/user/emails')).body).toEqual([body])
    expect((await call('GET', `/user/emails/${body.id}`)).body).toEqual(body)
    expect((await call('GET', '/user')).body.email).toBe(ada.email)
  })

  it('returns 400 for a primary or secondary address of any user, whatever its case', async () => {
    const { email } = await add()
    for (const address of [ada.email, bob.email.toUpperCase(), email.toLowerCase()]) {
      for (const user of [ada, bob]) {
        const answer = await call('POST', '/user/emails', user, { email: address })
        expect(outcome(answer)).toEqual(taken)
      }
    }
  })

  it('accepts only one of two concurrent additions', async () => {
    const email = newAddress()
    const post = (user: TestUser) => call('POST', '/user/emails', user, { email })
    const answers = await Promise.all([post(ada), post(bob)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })

  it.each(['x', 'a b@example.com', 'a@@example.com', '@', `${'x'.repeat(255)}@example.com`])(
    'returns 400 for %s',
    async (email) => {
      const { status, body } = await call('POST', '/user/emails', ada, { email })
      expect([status, Object.keys(body.message)]).toEqual([400, ['email']])
    },
  )

  it('returns 400 for an address of thousands of characters, and without one', async () => {
    for (const email of ['x'.repeat(5000), '', undefined]) {
      expect((await call('POST', '/user/emails', ada, { email })).body).toHaveProperty('error')
    }
  })

  it('returns 400 for one address above the maximum', async () => {
    for (let index = 0; index < 100; index += 1) await add()
    const { status, body } = await call('POST', '/user/emails', ada, { email: newAddress() })
    expect([status, body]).toEqual([
      400,
      { message: { base: ['a user has at most 100 addresses'] } },
    ])
  })

  it('returns 401 without a token, and 403 with the scope read_user', async () => {
    expect((await callAs(server, 'GET', '/user/emails')).status).toBe(401)
    const token = await server.buildToken(ada.id, ['read_user'])
    const answer = await call('POST', '/user/emails', { token }, { email: newAddress() })
    expect(answer.status).toBe(403)
    expect((await call('GET', '/user/emails', { token })).status).toBe(200)
  })
})

describe('DELETE /user/emails/:email_id', () => {
  it('returns 204, after which the address is free', async () => {
    const { id, email } = await add()
    expect(outcome(await call('DELETE', `/user/emails/${id}`))).toEqual([204, undefined])
    expect(outcome(await call('DELETE', `/user/emails/${id}`))).toEqual(notFound)
    expect(await add(email, bob)).toMatchObject({ email })
  })

  it('returns 404 for an address of another user', async () => {
    const { id } = await add(newAddress(), bob)
    for (const method of ['DELETE', 'GET']) {
      expect(outcome(await call(method, `/user/emails/${id}`))).toEqual(notFound)
    }
  })
})

describe('/users/:id/emails', () => {
  it('lists, adds and deletes addresses as administrator', async () => {
    const path = `/users/${ada.id}/emails`
    const own = await add()
    const email = newAddress()
    const { body } = await call('POST', path, server.root, { email })
    expect((await call('GET', path, server.root)).body).toEqual([own, body])
    expect(await ownerOf(email)).toBeUndefined()
    expect((await call('DELETE', `${path}/${body.id}`, server.root)).status).toBe(204)
    expect((await call('GET', `${path}?per_page=1`, server.root)).headers['x-total']).toBe('1')
    const other = await call('DELETE', `/users/${bob.id}/emails/${own.id}`, server.root)
    expect(outcome(other)).toEqual(notFound)
  })

  it('adds a confirmed address with skip_confirmation', async () => {
    const body = { email: newAddress(), skip_confirmation: true }
    await created(server, `/users/${ada.id}/emails`, body)
    expect(await ownerOf(body.email)).toBe(ada.id)
    expect(await loginOf(body.email)).toBe(ada.id)
  })

  it('returns 403 to users and 404 for unknown users', async () => {
    const path = `/users/${ada.id}/emails`
    expect((await call('GET', path)).status).toBe(403)
    expect((await call('POST', path, ada, { email: newAddress() })).status).toBe(403)
    expect((await call('GET', '/users/999999/emails', server.root)).status).toBe(404)
  })
})

describe('GET /users/confirmation', () => {
  it('confirms a secondary address, which counts only then', async () => {
    const { email } = await add()
    const notify = () =>
      call('PUT', '/notification_settings', ada, { notification_email: email.toLowerCase() })
    const uses = async () => [await ownerOf(email), await loginOf(email), (await notify()).status]
    expect(await uses()).toEqual([undefined, undefined, 400])
    const { status, text, headers } = await confirm(email)
    expect([status, text]).toEqual([200, expect.stringContaining('is confirmed')])
    expect(headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(await uses()).toEqual([ada.id, ada.id, 200])
    expect((await notify()).body.notification_email).toBe(email)
  })

  it('returns 422 for a token that is unknown, used, replaced, expired or missing', async () => {
    const { email } = await add()
    const replaced = await tokenOf(email)
    const token = await tokenOf(email)
    expect(token).toMatch(/^[\w-]{43}$/)
    for (const bad of [replaced, 'x', '', 'x'.repeat(5000), '%00']) {
      expect((await open(bad)).status).toBe(422)
    }
    expect((await server.inject('GET', '//users/confirmation')).status).toBe(422)
    expect(await ownerOf(email)).toBeUndefined()
    expect((await open(token)).status).toBe(200)
    expect((await open(token)).status).toBe(422)
    const late = await add()
    const expired = await tokenOf(late.email)
    server.advance(3 * 24 * 60 * 60_000 + 1)
    expect((await open(expired)).status).toBe(422)
    expect(await ownerOf(late.email)).toBeUndefined()
  })

  it('does not confirm for a HEAD request', async () => {
    const { email } = await add()
    const query = `confirmation_token=${await tokenOf(email)}`
    await server.inject('HEAD', '//users/confirmation', { query })
    expect(await ownerOf(email)).toBeUndefined()
  })

  it('stores no token in plain text', async () => {
    const { email } = await add()
    const token = await tokenOf(email)
    const rows = await server.app.db.all('test.tokens', {}, (db) =>
      db.selectFrom('emails').select('tokenHash'),
    )
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('an unconfirmed address', () => {
  it('is free for others when its token has expired', async () => {
    const { email } = await add()
    expect((await call('POST', '/user/emails', bob, { email })).status).toBe(400)
    server.advance(3 * 24 * 60 * 60_000 + 1)
    expect(await add(email, bob)).toMatchObject({ email })
    expect((await call('GET', '/user/emails')).body).toEqual([])
    await confirm(email)
    server.advance(3 * 24 * 60 * 60_000 + 1)
    expect((await call('POST', '/user/emails', ada, { email })).status).toBe(400)
  })
})

describe('the notification address', () => {
  it('is the primary one again when the chosen one is deleted, or on request', async () => {
    const { id, email } = await add()
    await confirm(email)
    const put = (address: string) =>
      call('PUT', '/notification_settings', ada, { notification_email: address })
    const get = async () => (await call('GET', '/notification_settings')).body.notification_email
    await put(email)
    expect(await get()).toBe(email)
    await put('')
    expect(await get()).toBe(ada.email)
    await put(email)
    await call('DELETE', `/user/emails/${id}`)
    expect(await get()).toBe(ada.email)
  })
})

describe('DELETE /users/:id', () => {
  it('frees all addresses of the user at once', async () => {
    const { email } = await add()
    await confirm(email)
    await call('DELETE', `/users/${ada.id}`, server.root)
    for (const address of [email, ada.email]) {
      expect(await ownerOf(address)).toBeUndefined()
      expect(await add(address, bob)).toMatchObject({ email: address })
    }
  })
})
