import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  clientToken,
  createApplication,
  credentialsOf,
  issueTokens,
  passwordTokens,
  postForm,
  signedIn,
  type TestApplication,
  type TestBrowser,
  userStatus,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET /oauth/token/info: bearer token; {resource_owner_id, scopes, expires_in_seconds,
 *   application {uid}, created_at}; 401
 * - POST /oauth/revoke: token and client pair; 200 {} (RFC 7009)
 * - POST /oauth/introspect (RFC 7662)
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

const issue = (scope?: string) => issueTokens(server, browser, app, scope)
const info = (token: string) => server.inject('GET', '//oauth/token/info', bearer(token))

describe('GET /oauth/token/info', () => {
  it('describes a token in the header and in the query', async () => {
    const { access_token, created_at } = await issue('read_user email')
    const { status, body, headers } = await info(access_token)
    expect(status).toBe(200)
    expect(body).toEqual({
      resource_owner_id: user.id,
      scope: ['read_user', 'email'],
      scopes: ['read_user', 'email'],
      expires_in: body.expires_in_seconds,
      expires_in_seconds: expect.any(Number),
      application: { uid: app.application_id },
      created_at,
    })
    expect(body.expires_in).toBeGreaterThan(7100)
    expect(body.expires_in).toBeLessThanOrEqual(7200)
    expect(headers['cache-control']).toBe('no-store')
    const query = `access_token=${access_token}`
    expect((await server.inject('GET', '//oauth/token/info', { query })).status).toBe(200)
  })

  it('describes tokens without a user, and without an application', async () => {
    expect((await info(await clientToken(server, app))).body.resource_owner_id).toBeNull()
    const { access_token } = await passwordTokens(server, user)
    expect((await info(access_token)).body.application).toEqual({ uid: null })
  })

  it.each([['nothing'], ['']])('answers 401 invalid_token for %j', async (token) => {
    const { status, body, headers } = await info(token)
    expect([status, body]).toEqual([
      401,
      { error: 'invalid_token', error_description: expect.any(String) },
    ])
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="Stithy", error="invalid_token"/)
  })

  it('answers 401 for personal access tokens and refresh tokens', async () => {
    expect((await info(user.token)).status).toBe(401)
    expect((await info((await issue()).refresh_token)).status).toBe(401)
  })
})

describe('POST /oauth/revoke', () => {
  const revoke = (token: string, values: Record<string, string> = credentialsOf(app)) =>
    postForm(server, 'revoke', { token, ...values })

  it.each(['access_token', 'refresh_token'])('ends both tokens by the %s', async (name) => {
    const tokens = await issue()
    const { status, body } = await revoke(tokens[name])
    expect([status, body]).toEqual([200, {}])
    expect(await userStatus(server, tokens.access_token)).toBe(401)
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const again = await postForm(server, 'token', { ...fields, ...credentialsOf(app) })
    expect(again.body.error).toBe('invalid_grant')
    expect((await revoke(tokens[name])).status).toBe(200)
  })

  it('answers 200 for unknown tokens, and leaves personal access tokens alone', async () => {
    expect((await revoke('nothing')).body).toEqual({})
    expect((await revoke(user.token, {})).body).toEqual({})
    expect(await userStatus(server, user.token)).toBe(200)
  })

  it('refuses tokens of other clients, and clients that do not authenticate', async () => {
    const { access_token } = await issue()
    const other = await createApplication(server)
    for (const [values, status, error] of [
      [credentialsOf(other), 400, 'unauthorized_client'],
      [{}, 400, 'unauthorized_client'],
      [{ client_id: app.application_id }, 401, 'invalid_client'],
      [{ ...credentialsOf(app), client_secret: 'wrong' }, 401, 'invalid_client'],
      [{ ...credentialsOf(app), token: '' }, 400, 'invalid_request'],
    ] as [Record<string, string>, number, string][]) {
      const answer = await revoke(access_token, values)
      expect([answer.status, answer.body.error]).toEqual([status, error])
    }
    expect(await userStatus(server, access_token)).toBe(200)
  })

  it('takes tokens without an application from who has them, and public clients by their id', async () => {
    const { access_token } = await passwordTokens(server, user)
    expect((await revoke(access_token, {})).status).toBe(200)
    expect(await userStatus(server, access_token)).toBe(401)
    const open = await createApplication(server, { confidential: false })
    const id = { client_id: open.application_id }
    const own = await passwordTokens(server, user, id)
    expect((await revoke(own.access_token, id)).status).toBe(200)
    expect(await userStatus(server, own.access_token)).toBe(401)
  })
})

describe('POST /oauth/introspect', () => {
  const ask = (token: string, values: Record<string, string> = credentialsOf(app)) =>
    postForm(server, 'introspect', { token, ...values })

  it('describes access and refresh tokens of the client', async () => {
    const tokens = await issue('read_user')
    const { status, body } = await ask(tokens.access_token)
    expect(status).toBe(200)
    expect(body).toEqual({
      active: true,
      scope: 'read_user',
      client_id: app.application_id,
      username: user.username,
      token_type: 'bearer',
      exp: tokens.created_at + 7200,
      iat: tokens.created_at,
      sub: String(user.id),
      iss: 'http://stithy.test',
    })
    const refresh = (await ask(tokens.refresh_token)).body
    expect(refresh).toMatchObject({ active: true, token_type: 'refresh_token', scope: 'read_user' })
    const own = (await ask(await clientToken(server, app))).body
    expect([own.sub, own.username]).toEqual([app.application_id, undefined])
  })

  it('says no more than that others are inactive', async () => {
    const tokens = await issue()
    const other = await createApplication(server)
    await postForm(server, 'token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      ...credentialsOf(app),
    })
    const foreign = (await passwordTokens(server, user, credentialsOf(other))).access_token
    for (const token of [
      'nothing',
      user.token,
      foreign,
      tokens.access_token,
      tokens.refresh_token,
    ]) {
      expect((await ask(token)).body).toEqual({ active: false })
    }
  })

  it('answers 401 without a client, or for one without a secret', async () => {
    const { access_token } = await issue()
    const open = await createApplication(server, { confidential: false })
    for (const values of [{}, { client_id: app.application_id }, credentialsOf(open)]) {
      const { status, body } = await ask(access_token, values as Record<string, string>)
      expect([status, body.error]).toEqual([401, 'invalid_client'])
    }
  })
})
