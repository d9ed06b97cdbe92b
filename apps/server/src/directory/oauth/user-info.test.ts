import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  clientToken,
  createApplication,
  issueTokens,
  postForm,
  signedIn,
  type TestApplication,
  type TestBrowser,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET|POST /oauth/userinfo: what the scopes allow
 * - GET /.well-known/oauth-authorization-server (RFC 8414)
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
    const userless = await server.inject(
      'GET',
      '//oauth/userinfo',
      bearer(await clientToken(server, app)),
    )
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
