import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateBasic } from '../../code/git-http/basic.ts'
import { callAs } from '../../testing/clients/calls.ts'
import {
  authorizeUrl,
  consent,
  createApplication,
  credentialsOf,
  getCode,
  passwordTokens,
  postForm,
  redeem,
  returned,
  signedIn,
  type TestApplication,
  type TestBrowser,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { deleteEndedGrantsJob } from './oauth.jobs.ts'

/*
 * Statements covered:
 * - GET /oauth/token/info: bearer token; {resource_owner_id, scopes, expires_in_seconds,
 *   application {uid}, created_at}; 401
 * - POST /oauth/revoke: token and client pair; 200 {} (RFC 7009)
 * - POST /oauth/introspect (RFC 7662)
 * - GET|POST /oauth/userinfo: what the scopes allow
 * - an OAuth access token is a caller like a personal access token, with its scopes; in Git over
 *   HTTP as the password of oauth2; sudo with the scope; expired and revoked 401 invalid_token;
 *   blocked users' tokens stop working
 * - expired codes and tokens are deleted by a job
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

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const statusOf = async (token: string, of = server) =>
  (await of.inject('GET', '/user', bearer(token))).status
const issue = async (scope = 'api'): Promise<Json> =>
  (await redeem(server, app, await getCode(browser, app, { scope }))).body
const info = (token: string) => server.inject('GET', '//oauth/token/info', bearer(token))
const clientToken = async () =>
  (await postForm(server, 'token', { grant_type: 'client_credentials', ...credentialsOf(app) }))
    .body.access_token

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
    expect((await info(await clientToken())).body.resource_owner_id).toBeNull()
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
    expect(await statusOf(tokens.access_token)).toBe(401)
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const again = await postForm(server, 'token', { ...fields, ...credentialsOf(app) })
    expect(again.body.error).toBe('invalid_grant')
    expect((await revoke(tokens[name])).status).toBe(200)
  })

  it('answers 200 for unknown tokens, and leaves personal access tokens alone', async () => {
    expect((await revoke('nothing')).body).toEqual({})
    expect((await revoke(user.token, {})).body).toEqual({})
    expect(await statusOf(user.token)).toBe(200)
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
    expect(await statusOf(access_token)).toBe(200)
  })

  it('takes tokens without an application from who has them, and public clients by their id', async () => {
    const { access_token } = await passwordTokens(server, user)
    expect((await revoke(access_token, {})).status).toBe(200)
    expect(await statusOf(access_token)).toBe(401)
    const open = await createApplication(server, { confidential: false })
    const id = { client_id: open.application_id }
    const own = await passwordTokens(server, user, id)
    expect((await revoke(own.access_token, id)).status).toBe(200)
    expect(await statusOf(own.access_token)).toBe(401)
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
    const own = (await ask(await clientToken())).body
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

describe('/oauth/userinfo', () => {
  const profile = {
    name: expect.any(String),
    nickname: expect.any(String),
    preferred_username: expect.any(String),
    profile: expect.stringMatching(/^http:\/\/stithy\.test\//),
    picture: null,
    website: '',
  }
  const email = { email: expect.stringContaining('@example.com'), email_verified: true }

  it.each([
    ['profile', profile],
    ['email', email],
    ['profile email', { ...profile, ...email }],
    ['read_user', { ...profile, ...email }],
    ['api', { ...profile, ...email }],
  ])('shows what %s allows', async (scope, shown) => {
    const { access_token } = await issue(scope)
    for (const method of ['GET', 'POST']) {
      const answer = await server.inject(method, '//oauth/userinfo', bearer(access_token))
      expect([answer.status, answer.body]).toEqual([200, { sub: String(user.id), ...shown }])
    }
  })

  it('takes the token in a form', async () => {
    const { access_token } = await issue('profile')
    expect((await postForm(server, 'userinfo', { access_token })).status).toBe(200)
  })

  it('answers 403 without a scope for it, and 401 without a user or a token', async () => {
    const { access_token } = await issue('write_repository')
    const narrow = await server.inject('GET', '//oauth/userinfo', bearer(access_token))
    expect([narrow.status, narrow.body.error]).toEqual([403, 'insufficient_scope'])
    const userless = await server.inject('GET', '//oauth/userinfo', bearer(await clientToken()))
    expect([userless.status, userless.body.error]).toEqual([401, 'invalid_token'])
    expect((await server.inject('GET', '//oauth/userinfo')).status).toBe(401)
  })
})

describe('GET /.well-known/oauth-authorization-server', () => {
  it('names the endpoints and what they support', async () => {
    const { status, body } = await server.inject('GET', '//.well-known/oauth-authorization-server')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      issuer: 'http://stithy.test',
      authorization_endpoint: 'http://stithy.test/oauth/authorize',
      token_endpoint: 'http://stithy.test/oauth/token',
      code_challenge_methods_supported: ['S256', 'plain'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(body.grant_types_supported.toSorted()).toEqual([
      'authorization_code',
      'client_credentials',
      'implicit',
      'password',
      'refresh_token',
    ])
  })
})

describe('an OAuth access token', () => {
  it('is limited to its scopes', async () => {
    const { access_token } = await issue('read_repository profile email')
    const { status, body } = await server.inject('GET', '/user', bearer(access_token))
    expect([status, body.error, body.scope]).toEqual([403, 'insufficient_scope', 'api read_user'])
    const reading = await issue('read_user')
    expect(await statusOf(reading.access_token)).toBe(200)
    const projects = await server.inject('GET', '/projects', bearer(reading.access_token))
    expect(projects.status).toBe(403)
  })

  it('is the password of oauth2 in Git over HTTP', async () => {
    const rights = async (scope: string, username = 'oauth2') => {
      const { access_token: password } = await issue(scope)
      const caller = await authenticateBasic(server.app, {
        username,
        password,
        address: '10.0.0.1',
      })
      return [caller.user?.id, caller.canRead, caller.canWrite]
    }
    expect(await rights('api')).toEqual([user.id, true, true])
    expect(await rights('write_repository')).toEqual([user.id, true, true])
    expect(await rights('read_repository')).toEqual([user.id, true, false])
    await expect(rights('read_user')).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(rights('api', user.username)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('of an administrator acts as another user with the scope sudo', async () => {
    const root = await signedIn(server, server.root)
    const token = async (scope: string) =>
      (await redeem(server, app, await getCode(root, app, { scope }))).body.access_token
    const sudoer = await createApplication(server, { scopes: 'api sudo' })
    const code = await getCode(root, sudoer, { scope: 'api sudo' })
    const { access_token } = (await redeem(server, sudoer, code)).body
    const headers = { authorization: `Bearer ${access_token}`, sudo: user.username }
    expect((await server.inject('GET', '/user', { headers })).body.id).toBe(user.id)
    const narrow = { authorization: `Bearer ${await token('api')}`, sudo: user.username }
    expect((await server.inject('GET', '/user', { headers: narrow })).status).toBe(403)
  })

  it('stops working when its user is blocked', async () => {
    const person = await server.buildUser()
    const { access_token } = await passwordTokens(server, person)
    await callAs(server, 'POST', `/users/${person.id}/block`, server.root.token)
    expect(await statusOf(access_token)).toBe(403)
    expect((await info(access_token)).status).toBe(401)
  })

  it('that was returned by the browser ends with the application', async () => {
    const own = await createApplication(server)
    const answer = await consent(browser, authorizeUrl(own, { response_type: 'token' }))
    const { access_token = '' } = returned(answer)
    expect(await statusOf(access_token)).toBe(200)
    await callAs(server, 'DELETE', `/applications/${own.id}`, server.root.token)
    const { status, body } = await server.inject('GET', '/user', bearer(access_token))
    expect([status, body.error]).toEqual([401, 'invalid_token'])
  })

  it('expires after two hours, and is deleted a day later with what else has ended', async () => {
    const own = await buildTestServer()
    try {
      const person = await own.buildUser()
      const page = await signedIn(own, person)
      const client = await createApplication(own)
      const implicit = await consent(page, authorizeUrl(client, { response_type: 'token' }))
      const { access_token: short = '' } = returned(implicit)
      const { body } = await redeem(own, client, await getCode(page, client))
      await getCode(page, client)
      own.advance(7_200_000)
      const ended = await own.inject('GET', '/user', bearer(body.access_token))
      expect([ended.status, ended.body.error]).toEqual([401, 'invalid_token'])
      expect(await rowCounts(own)).toEqual([2, 2, 1, 3])
      own.advance(24 * 3_600_000)
      await runCleanup(own)
      expect(await rowCounts(own)).toEqual([0, 0, 1, 1])
      expect((await own.inject('GET', '/user', bearer(short))).body).toEqual({
        message: '401 Unauthorized',
      })
      const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
      const next = await postForm(own, 'token', { ...fields, ...credentialsOf(client) })
      expect(await statusOf(next.body.access_token, own)).toBe(200)
      own.advance(31 * 24 * 3_600_000)
      await runCleanup(own)
      expect(await rowCounts(own)).toEqual([0, 0, 1, 1])
      own.advance(366 * 24 * 3_600_000)
      await runCleanup(own)
      expect(await rowCounts(own)).toEqual([0, 0, 0, 0])
      expect(await statusOf(person.token, own)).toBe(200)
    } finally {
      await own.close()
    }
  })
})

/** The number of OAuth access tokens, codes, refresh tokens and grants. */
async function rowCounts({ app: { db } }: TestServer): Promise<number[]> {
  const tokens = await db.all('test.tokens', {}, (q) =>
    q.selectFrom('tokens').select('id').where('kind', '=', 'oauth'),
  )
  const others = ['oauthCodes', 'oauthRefreshTokens', 'oauthGrants'] as const
  const rows = await Promise.all(
    others.map((table) => db.all(`test.${table}`, {}, (q) => q.selectFrom(table).selectAll())),
  )
  return [tokens, ...rows].map(({ length }) => length)
}

async function runCleanup({ app }: TestServer): Promise<void> {
  await deleteEndedGrantsJob.run(app)
}
