import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  bearer,
  callback,
  createApplication,
  credentialsOf,
  expectError,
  getCode,
  redeem,
  refreshTokens,
  signedIn,
  type TestApplication,
  type TestBrowser,
  userStatus,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - POST /oauth/token, authorization_code: the redirect URI as before; one use, after which what was
 *   issued is revoked; PKCE (RFC 7636)
 * - {access_token, token_type, expires_in: 7200, refresh_token, scope, created_at}, never cached
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
let browser: TestBrowser
let app: TestApplication
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
  browser = await signedIn(server, user)
  app = await createApplication(server)
})
afterAll(() => server.close())

const refresh = (token: string, values: Record<string, string> = credentialsOf(app)) =>
  refreshTokens(server, token, values)

describe('POST /oauth/token: authorization_code', () => {
  it('returns tokens that work, of which only hashes are stored', async () => {
    const code = await getCode(browser, app, { scope: 'read_user api' })
    const { status, body, headers } = await redeem(server, app, code)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{20,}$/),
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[\w-]{20,}$/),
      scope: 'api read_user',
      created_at: expect.any(Number),
    })
    expect(Math.abs(body.created_at - server.app.now() / 1000)).toBeLessThan(60)
    expect(headers['content-type']).toBe('application/json')
    expect([headers['cache-control'], headers.pragma]).toEqual(['no-store', 'no-cache'])
    expect((await server.inject('GET', '/user', bearer(body.access_token))).body.id).toBe(user.id)
    const query = `access_token=${body.access_token}`
    expect((await server.inject('GET', '/user', { query })).body.id).toBe(user.id)
    for (const table of ['tokens', 'oauthRefreshTokens', 'oauthCodes'] as const) {
      const rows = JSON.stringify(
        await server.app.db.all(`test.${table}`, {}, (db) => db.selectFrom(table).selectAll()),
      )
      for (const secret of [code, body.access_token, body.refresh_token]) {
        expect(rows).not.toContain(secret)
      }
    }
  })

  it('takes a code once, and revokes what was issued when it is used again', async () => {
    const code = await getCode(browser, app)
    const { body } = await redeem(server, app, code)
    const { body: next } = await refresh(body.refresh_token)
    expect(await userStatus(server, next.access_token)).toBe(200)
    expectError(await redeem(server, app, code), 401, 'invalid_grant')
    expect(await userStatus(server, next.access_token)).toBe(401)
    expectError(await refresh(next.refresh_token), 401, 'invalid_grant')
  })

  it('takes a code once, even concurrently', async () => {
    const code = await getCode(browser, app)
    const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(server, app, code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
    const { body } = answers.find(({ status }) => status === 200) ?? { body: {} }
    expect(await userStatus(server, body.access_token)).toBe(401)
  })

  it('answers 401 invalid_grant for a code of another client, which it does not use up', async () => {
    const code = await getCode(browser, app)
    const other = await createApplication(server)
    expectError(await redeem(server, other, code), 401, 'invalid_grant')
    expectError(await redeem(server, app, `${code}x`), 401, 'invalid_grant')
    expect((await redeem(server, app, code)).status).toBe(200)
  })

  it.each([
    ['another', { redirect_uri: `${callback}/` }],
    ['none', { redirect_uri: '' }],
  ])('answers 401 invalid_grant for the redirect URI: %s', async (_, values) => {
    const code = await getCode(browser, app)
    expectError(await redeem(server, app, code, values), 401, 'invalid_grant')
    expect((await redeem(server, app, code)).status).toBe(200)
  })

  it('wants no redirect URI if the first request had none', async () => {
    const code = await getCode(browser, app, { redirect_uri: undefined })
    expectError(await redeem(server, app, code), 401, 'invalid_grant')
    expect((await redeem(server, app, code, { redirect_uri: '' })).status).toBe(200)
  })

  it('answers 401 invalid_grant after ten minutes, and for a user who was blocked', async () => {
    const own = await buildTestServer()
    try {
      const client = await createApplication(own)
      const person = await own.buildUser()
      const page = await signedIn(own, person)
      const code = await getCode(page, client)
      own.advance(10 * 60_000)
      expectError(await redeem(own, client, code), 401, 'invalid_grant')
      const second = await getCode(page, client)
      await callAs(own, 'POST', `/users/${person.id}/block`, own.root.token)
      expectError(await redeem(own, client, second), 401, 'invalid_grant')
      await callAs(own, 'POST', `/users/${person.id}/unblock`, own.root.token)
      expect((await redeem(own, client, second)).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  it.each(['S256', 'plain'])('wants the verifier of a challenge: %s', async (method) => {
    const open = await createApplication(server, { confidential: false })
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const challenge = method === 'plain' ? verifier : hash('sha256', verifier, 'base64url')
    const code = await getCode(browser, open, {
      code_challenge: challenge,
      code_challenge_method: method,
    })
    const values = { client_secret: '' }
    expectError(await redeem(server, open, code, values), 401, 'invalid_grant')
    const wrong = { ...values, code_verifier: 'x'.repeat(43) }
    expectError(await redeem(server, open, code, wrong), 401, 'invalid_grant')
    const right = await redeem(server, open, code, { ...values, code_verifier: verifier })
    expect(right.status).toBe(200)
    const rotated = await refresh(right.body.refresh_token, { client_id: open.application_id })
    expect(rotated.status).toBe(200)
  })

  it('answers 401 invalid_grant for a verifier without a challenge', async () => {
    const code = await getCode(browser, app)
    const values = { code_verifier: 'x'.repeat(43) }
    expectError(await redeem(server, app, code, values), 401, 'invalid_grant')
  })
})
