// POST /users: `skip_confirmation`; PUT /users/:id: `skip_reconfirmation`.
// An address is unique among primary and secondary ones.
import { findCredentials, findUserIdByEmail } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../../testing/clients/calls.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { confirmationToken } from '../../../testing/fixtures/emails.ts'
import { setSetting } from '../../../testing/settings.ts'
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

const tokenOf = (address: string) => confirmationToken(server, address)
const open = (token: string) =>
  server.inject('GET', '//users/confirmation', { query: `confirmation_token=${token}` })
const confirm = async (address: string) => open(await tokenOf(address))
const ownerOf = (address: string) => findUserIdByEmail(server.app.db, address)
const loginOf = async (address: string) => (await findCredentials(server.app.db, address))?.id

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
