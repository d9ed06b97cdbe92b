import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  authorizeUrl,
  bearer,
  consent,
  createApplication,
  credentialsOf,
  expectError,
  getCode,
  postForm,
  redeem,
  signedIn,
  type TestApplication,
  type TestBrowser,
  userStatus,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - POST /oauth/token: clients by Basic or body, bodies as form and JSON
 * - client_credentials: a token without a user, to which the API answers 401
 * - 401 invalid_grant and invalid_client, 400 otherwise; with error_description, never cached
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

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

describe('POST /oauth/token: the client', () => {
  it('is authenticated by Basic with form-encoded parts, or in the body', async () => {
    const fields = { grant_type: 'client_credentials' }
    const { application_id: id, secret } = app
    const headers = basic(encodeURIComponent(id).replaceAll('-', '%2D'), secret)
    expect((await postForm(server, 'token', fields, headers)).status).toBe(200)
    expect((await postForm(server, 'token', { ...fields, ...credentialsOf(app) })).status).toBe(200)
  })

  it.each([
    ['a wrong secret', () => ({ client_secret: 'wrong' })],
    ['no secret', () => ({ client_secret: '' })],
    ['an unknown id', () => ({ client_id: 'nobody' })],
    ['no id', () => ({ client_id: '' })],
    ['no client', () => ({ client_id: '', client_secret: '' })],
    ['NUL', () => ({ client_id: 'a\0b' })],
    ['a hash', () => ({ client_secret: hash('sha256', app.secret, 'hex') })],
  ])('answers 401 invalid_client: %s', async (_, values) => {
    const fields = { grant_type: 'client_credentials', ...credentialsOf(app), ...values() }
    const answer = await postForm(server, 'token', fields)
    expectError(answer, 401, 'invalid_client')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="Stithy", error="invalid_cl/)
  })

  it.each([
    ['a wrong secret', () => basic(app.application_id, 'wrong')],
    ['an unknown id', () => basic('nobody', 'wrong')],
    ['no colon', () => ({ authorization: `Basic ${Buffer.from('x').toString('base64')}` })],
    ['broken encoding', () => basic('%', '%')],
  ])('answers 401 with a Basic challenge: %s', async (_, headers) => {
    const answer = await postForm(server, 'token', { grant_type: 'client_credentials' }, headers())
    expectError(answer, 401, 'invalid_client')
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Stithy"')
  })

  it('answers 400 where it is authenticated twice', async () => {
    const fields = { grant_type: 'client_credentials', ...credentialsOf(app) }
    const headers = basic(app.application_id, app.secret)
    expectError(await postForm(server, 'token', fields, headers), 400, 'invalid_request')
  })

  it('is refused once it is deleted, and its tokens end at once', async () => {
    const gone = await createApplication(server)
    const { body } = await redeem(server, gone, await getCode(browser, gone))
    const pending = await getCode(browser, gone)
    await callAs(server, 'DELETE', `/applications/${gone.id}`, server.root.token)
    expect(await userStatus(server, body.access_token)).toBe(401)
    expectError(await redeem(server, gone, pending), 401, 'invalid_client')
    expect((await browser.send('GET', authorizeUrl(gone))).status).toBe(400)
    await server.runJobs()
    const left = await server.app.db.all('test.grants', { id: gone.id }, (db, $) =>
      db.selectFrom('oauthGrants').select('id').where('applicationId', '=', $('id')),
    )
    expect(left).toEqual([])
    expect(await userStatus(server, body.access_token)).toBe(401)
  })
})

describe('POST /oauth/token: client_credentials', () => {
  it('returns a token without a user, to which the API answers 401', async () => {
    const fields = { grant_type: 'client_credentials', ...credentialsOf(app) }
    const { status, body } = await postForm(server, 'token', fields)
    expect(status).toBe(200)
    expect(body.refresh_token).toBeUndefined()
    const answer = await server.inject('GET', '/user', bearer(body.access_token))
    expect([answer.status, answer.body]).toEqual([401, { message: '401 Unauthorized' }])
  })

  it('answers 400 unauthorized_client to public clients', async () => {
    const open = await createApplication(server, { confidential: false })
    const fields = { grant_type: 'client_credentials', ...credentialsOf(open) }
    expectError(await postForm(server, 'token', fields), 400, 'unauthorized_client')
  })
})

describe('POST /oauth/token: the request', () => {
  it.each([
    ['no grant type', {}, 'invalid_request'],
    ['an unknown one', { grant_type: 'magic' }, 'unsupported_grant_type'],
    ['a name of prototypes', { grant_type: 'toString' }, 'unsupported_grant_type'],
    ['no password', { grant_type: 'password', username: 'x' }, 'invalid_request'],
    ['no user name', { grant_type: 'password', password: 'x' }, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['a long one', { grant_type: 'x'.repeat(5000) }, 'invalid_request'],
  ])('answers 400 for %s', async (_, fields, error) => {
    expectError(await postForm(server, 'token', fields as Record<string, string>), 400, error)
  })

  it.each([
    ['a list', { form: 'grant_type[]=password' }],
    ['broken encoding', { form: 'grant_type=%' }],
    ['a JSON list', { body: [] }],
    ['a JSON number', { body: { grant_type: 1 } }],
    ['a JSON text', { body: 'grant_type=password' }],
    ['no body', {}],
    ['broken JSON', { bytes: Buffer.from('{'), headers: { 'content-type': 'application/json' } }],
    ['plain text', { bytes: Buffer.from('a=b'), headers: { 'content-type': 'text/plain' } }],
  ])('answers 400 invalid_request for %s', async (_, input) => {
    expectError(await server.inject('POST', '//oauth/token', input), 400, 'invalid_request')
  })

  it('answers 400 invalid_request for a repeated parameter', async () => {
    const fields = { grant_type: 'client_credentials', ...credentialsOf(app), scope: 'api' }
    const form = `${new URLSearchParams(fields)}`
    expect((await server.inject('POST', '//oauth/token', { form })).status).toBe(200)
    const twice = await server.inject('POST', '//oauth/token', { form: `${form}&scope=api` })
    expectError(twice, 400, 'invalid_request')
  })

  it('answers 413 for a large body, and reads no parameters of the query', async () => {
    const large = await postForm(server, 'token', { x: 'x'.repeat(40_000) })
    expect(large.status).toBe(413)
    const { username, password } = user
    const query = new URLSearchParams({ grant_type: 'password', username, password }).toString()
    const answer = await server.inject('POST', '//oauth/token', { query })
    expectError(answer, 400, 'invalid_request')
  })

  it('takes a denied consent for nothing', async () => {
    const answer = await consent(browser, authorizeUrl(app), 'deny')
    expect(answer.headers.location).not.toContain('code=')
  })
})
