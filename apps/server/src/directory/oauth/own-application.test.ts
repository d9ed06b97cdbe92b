import { setTimeout } from 'node:timers/promises'
import { findApplication, insertApplication, lockUser } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  authorizeUrl,
  clientToken,
  createApplication,
  expectError,
  getCode,
  issueTokens,
  redeem,
  refreshTokens,
  signedIn,
  type TestApplication,
  type TestBrowser,
  userStatus,
} from '../../testing/clients/oauth.ts'
import {
  applicationPage as page,
  registerOwn,
  sendApplication,
  shownSecret,
} from '../../testing/clients/own-applications.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { createApplication as createOwn } from './application.service.ts'

/*
 * Statements covered:
 * - what users register works as a client of the provider: codes, tokens, refresh, revocation
 * - a renewed secret replaces the one from before; tokens work on
 * - confidential to public and back; tokens keep the scopes that they have
 * - the consent page names who has registered an application
 * - deleting the owner deletes the applications and what was granted through them; blocking the
 *   owner leaves the tokens of other users
 */

let server: TestServer
let owner: TestUser
let owning: TestBrowser
let user: TestUser
let browser: TestBrowser
beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser({ username: 'ada' })
  owning = await signedIn(server, owner)
  user = await server.buildUser()
  browser = await signedIn(server, user)
})
afterAll(() => server.close())

const pageOf = ({ id }: TestApplication, action = '') => `${page}/${id}${action}`
const refresh = (token: string, { application_id, secret }: TestApplication) =>
  refreshTokens(server, token, { client_id: application_id, client_secret: secret })

/** Rows of applications, grants and tokens of an application. */
async function leftOf({ id, application_id: uid }: TestApplication): Promise<number[]> {
  const { db } = server.app
  const applications = await db.all('test.left', { uid }, (q, $) =>
    q.selectFrom('oauthApplications').select('id').where('uid', '=', $('uid')),
  )
  const grants = await db.all('test.left-grants', { id }, (q, $) =>
    q.selectFrom('oauthGrants').select('id').where('applicationId', '=', $('id')),
  )
  return [applications.length, grants.length]
}

describe('an application that a user has registered', () => {
  it('gets tokens of another user, keeps them with a new secret, and loses them when it is deleted', async () => {
    const client = await registerOwn(owning, { scopes: ['api'] })
    const code = await getCode(browser, client, { scope: 'api' })
    const { body: tokens } = await redeem(server, client, code)
    const { access_token, refresh_token } = tokens
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await server.inject('GET', '/user', { headers })).body.id).toBe(user.id)

    await owning.submit(page, {}, pageOf(client, '/renew'))
    const secret = shownSecret((await owning.send('GET', pageOf(client))).text) ?? ''
    expectError(await refresh(refresh_token, client), 401, 'invalid_client')
    const other = await getCode(browser, client, { scope: 'api' })
    expectError(await redeem(server, client, other), 401, 'invalid_client')
    expect(await userStatus(server, access_token)).toBe(200)
    const renewed = { ...client, secret }
    const { body: next } = await refresh(refresh_token, renewed)
    expect(await userStatus(server, next.access_token)).toBe(200)

    await owning.submit(page, {}, pageOf(client, '/delete'))
    expect(await userStatus(server, next.access_token)).toBe(401)
    expectError(await refresh(next.refresh_token, renewed), 401, 'invalid_client')
    expectError(await redeem(server, renewed, other), 401, 'invalid_client')
    expect((await browser.send('GET', authorizeUrl(client))).status).toBe(400)
    await server.runJobs()
    expect(await leftOf(client)).toEqual([0, 0])
    expect(await userStatus(server, next.access_token)).toBe(401)
  })

  it('keeps the scopes of its tokens when others are registered', async () => {
    const client = await registerOwn(owning, { scopes: ['api', 'read_user'] })
    const tokens = await issueTokens(server, browser, client, 'read_user')
    await sendApplication(owning, { scopes: ['api'] }, pageOf(client))
    expect(await userStatus(server, tokens.access_token)).toBe(200)
    const { body } = await refresh(tokens.refresh_token, client)
    expect(body.scope).toBe('read_user')
  })

  it('needs no secret once it is public, but a challenge, also for codes from before', async () => {
    const client = await registerOwn(owning)
    const { refresh_token } = await issueTokens(server, browser, client)
    const code = await getCode(browser, client)
    await sendApplication(owning, { confidential: false }, pageOf(client))
    const withoutSecret = { client_id: client.application_id }
    expectError(await redeem(server, client, code, { client_secret: '' }), 401, 'invalid_grant')
    expectError(await redeem(server, client, code), 401, 'invalid_grant')
    const asked = await browser.send('GET', authorizeUrl(client))
    expect(asked.headers.location).toContain('error=invalid_request')
    const challenged = await getCode(browser, client, { code_challenge: 'x'.repeat(43) })
    const { status } = await redeem(server, client, challenged, {
      client_secret: '',
      code_verifier: 'x'.repeat(43),
    })
    expect(status).toBe(200)
    const { body: next } = await refreshTokens(server, refresh_token, withoutSecret)
    expect(await userStatus(server, next.access_token)).toBe(200)
    expect(await clientToken(server, client)).toBeUndefined()

    await sendApplication(owning, { confidential: true }, pageOf(client))
    const bare = await refreshTokens(server, next.refresh_token, withoutSecret)
    expectError(bare, 401, 'invalid_client')
    expect((await refresh(next.refresh_token, client)).status).toBe(200)
    expect(await clientToken(server, client)).toEqual(expect.any(String))
  })

  it('asks for consent, which names who has registered it, also its owner', async () => {
    const client = await registerOwn(owning, { name: '</bdi><b>Official</b>' })
    for (const by of [browser, owning]) {
      const { status, text } = await by.send('GET', authorizeUrl(client))
      expect(status).toBe(200)
      expect(text).toContain(
        '<bdi>&lt;/bdi&gt;&lt;b&gt;Official&lt;/b&gt;</bdi></strong>, registered by <strong>@ada</strong>,',
      )
    }
    const shared = await createApplication(server)
    expect((await browser.send('GET', authorizeUrl(shared))).text).not.toContain('registered by')
  })

  it('keeps the tokens of other users when its owner is blocked', async () => {
    const person = await server.buildUser()
    const own = await signedIn(server, person)
    const client = await registerOwn(own)
    const tokens = await issueTokens(server, browser, client)
    await callAs(server, 'POST', `/users/${person.id}/block`, server.root.token)
    expect(await userStatus(server, tokens.access_token)).toBe(200)
    expect((await refresh(tokens.refresh_token, client)).status).toBe(200)
    expect((await own.send('GET', pageOf(client))).headers.location).toContain('/users/sign_in')
  })

  it.each(['', 'hard_delete=true'])('ends when its owner is deleted: %j', async (query) => {
    const person = await server.buildUser()
    const own = await signedIn(server, person)
    const clients = [await registerOwn(own), await registerOwn(own)] as const
    const [client] = clients
    const kept = await registerOwn(owning)
    const tokens = await issueTokens(server, browser, client)
    const others = await issueTokens(server, browser, kept)
    const code = await getCode(browser, client)
    const { token } = server.root
    const removed = await server.inject('DELETE', `/users/${person.id}`, { token, query })
    expect(removed.status).toBe(204)
    const expectEnded = async () => {
      expect(await userStatus(server, tokens.access_token)).toBe(401)
      expectError(await refresh(tokens.refresh_token, client), 401, 'invalid_client')
      expectError(await redeem(server, client, code), 401, 'invalid_client')
      expect((await browser.send('GET', authorizeUrl(client))).status).toBe(400)
    }
    await expectEnded()
    expect((await callAs(server, 'DELETE', `/applications/${client.id}`, token)).status).toBe(404)
    // In batches, before the row of the user takes along what is left.
    for (const finish of server.app.dependents.beforeUser) await finish(server.app, person.id)
    for (const each of clients) expect(await leftOf(each)).toEqual([0, 0])
    await server.runJobs()
    await expectEnded()
    for (const each of clients) expect(await leftOf(each)).toEqual([0, 0])
    expect(await userStatus(server, others.access_token)).toBe(200)
  })

  it('is not registered for a user who is being deleted, or goes with them', async () => {
    const person = await server.buildUser()
    const own = await signedIn(server, person)
    const client = await registerOwn(own)
    const values = { redirectUris: [], scopes: [], confidential: 1, trusted: 0 } as const
    await callAs(server, 'DELETE', `/users/${person.id}`, server.root.token)
    const request = { name: 'Late', redirectUri: 'https://app.test/', scopes: 'api' }
    const registered = createOwn(
      server.app,
      { ...request, confidential: true },
      { ownerId: person.id, trusted: false },
    )
    await expect(registered).rejects.toMatchObject({ code: 'not_found' })
    // As if it were registered nevertheless.
    await server.app.db.transaction((tx) =>
      insertApplication(tx, {
        ...values,
        ownerId: person.id,
        uid: 'late',
        secretHash: '',
        name: 'Late',
        createdAt: 1,
      }),
    )
    await server.runJobs()
    expect(await leftOf({ ...client, application_id: 'late' })).toEqual([0, 0])
  })

  it('that is being registered while its owner is deleted ends at once, too', async () => {
    const person = await server.buildUser()
    const own = { ownerId: person.id, uid: 'racing', secretHash: '', name: 'Racing', createdAt: 1 }
    const values = { redirectUris: [], scopes: [], confidential: 1, trusted: 0 } as const
    const locked = Promise.withResolvers<void>()
    const waited = Promise.withResolvers<void>()
    const registered = server.app.db.transaction(async (tx) => {
      await lockUser(tx, person.id)
      await insertApplication(tx, { ...own, ...values })
      locked.resolve()
      await waited.promise
    })
    await locked.promise
    const deleted = callAs(server, 'DELETE', `/users/${person.id}`, server.root.token)
    await Promise.race([deleted, setTimeout(300)])
    waited.resolve()
    await registered
    expect((await deleted).status).toBe(204)
    expect(await findApplication(server.app.db, own.uid)).toBeUndefined()
    await server.runJobs()
  })
})
