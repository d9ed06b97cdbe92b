// GET, POST, DELETE /user/emails: {`id`, `email`}, secondary addresses only; 400 when taken.
// GET, POST, DELETE /users/:id/emails: administrators; `skip_confirmation`.
// An address that is not confirmed counts for nothing; a confirmed one where the primary one does.
// GET /users/confirmation?confirmation_token= confirms. PUT /users/:id: `skip_reconfirmation`.
import { findCredentials, findUserIdByEmail } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../../testing/clients/calls.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { setSetting } from '../../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'
import { requestConfirmation } from './email-confirmation.service.ts'

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

/** A new token for an address, as it would be sent by mail. */
async function tokenOf(address: string): Promise<string> {
  const args = { emailLower: address.toLowerCase() }
  const row = await server.app.db.first('test.email', args, (db, $) =>
    db
      .selectFrom('emails')
      .select(['id', 'userId', 'email'])
      .where('emailLower', '=', $('emailLower')),
  )
  if (row === undefined) throw new Error(`no ${address}`)
  const by = { by: null, now: server.app.now() }
  return server.app.db.transaction((tx) => requestConfirmation(tx, row, by))
}

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

describe('the primary address', () => {
  const put = (body: object, id = ada.id) => call('PUT', `/users/${id}`, server.root, body)

  it('cannot be a secondary one of another user, for new users and for others', async () => {
    const { email } = await add(newAddress(), bob)
    const values = { email, username: 'carol', name: 'Carol', password: 'a user password' }
    const { status, body } = await call('POST', '/users', server.root, values)
    expect([status, body]).toEqual([409, { message: 'Email has already been taken' }])
    expect((await put({ email })).status).toBe(404)
  })

  it('can become an own secondary one, which is then no longer listed', async () => {
    const { email } = await add()
    expect((await put({ email })).body.email).toBe(email)
    expect((await call('GET', '/user/emails')).body).toEqual([])
    expect(await ownerOf(email)).toBe(ada.id)
    expect(await ownerOf(ada.email)).toBeUndefined()
    expect(await add(ada.email, bob)).toMatchObject({ email: ada.email })
  })

  describe('with send_user_confirmation_email', () => {
    beforeAll(() => setSetting(server, 'send_user_confirmation_email', true))
    afterAll(() => setSetting(server, 'send_user_confirmation_email', false))

    it('stays until the new one is confirmed', async () => {
      const email = newAddress()
      expect((await put({ email })).body).toMatchObject({ id: ada.id, email: ada.email })
      expect(await ownerOf(email)).toBeUndefined()
      expect(outcome(await call('POST', '/user/emails', bob, { email }))).toEqual(taken)
      expect((await call('GET', '/user/emails')).body).toEqual([])
      expect((await confirm(email)).status).toBe(200)
      expect((await call('GET', '/user')).body.email).toBe(email)
      expect([await ownerOf(email), await ownerOf(ada.email)]).toEqual([ada.id, undefined])
    })

    it('is replaced by the last of several changes', async () => {
      const [first, second] = [newAddress(), newAddress()]
      await put({ email: first })
      const token = await tokenOf(first)
      await put({ email: second })
      expect((await open(token)).status).toBe(422)
      await put({ email: ada.email, name: 'Ada' })
      await confirm(second)
      expect((await call('GET', '/user')).body.email).toBe(second)
    })

    it('changes at once with skip_reconfirmation, or to a confirmed secondary one', async () => {
      const email = newAddress()
      expect((await put({ email, skip_reconfirmation: true })).body.email).toBe(email)
      const second = await add()
      await confirm(second.email)
      expect((await put({ email: second.email })).body.email).toBe(second.email)
    })

    it('of a new user is confirmed by its link, unless skip_confirmation is sent', async () => {
      expect((await call('GET', '/user')).body.confirmed_at).not.toBeNull()
      const carol = await server.buildUser({ skip_confirmation: false })
      const uses = async () => [await ownerOf(carol.email), await loginOf(carol.email)]
      expect((await call('GET', '/user', carol)).body.confirmed_at).toBeNull()
      expect(await uses()).toEqual([undefined, undefined])
      expect(await loginOf(carol.username)).toBe(carol.id)
      await put({ email: carol.email.toUpperCase() }, carol.id)
      expect((await confirm(carol.email)).status).toBe(200)
      expect(await uses()).toEqual([carol.id, carol.id])
      expect((await call('GET', '/user', carol)).body.confirmed_at).not.toBeNull()
    })
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
