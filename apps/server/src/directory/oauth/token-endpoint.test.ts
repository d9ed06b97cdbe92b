import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  authorizeUrl,
  callback,
  consent,
  createApplication,
  credentialsOf,
  getCode,
  passwordTokens,
  postForm,
  redeem,
  signedIn,
  type TestApplication,
  type TestBrowser,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type InjectedAnswer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - POST /oauth/token: authorization_code with the redirect URI as before; one use, after which
 *   what was issued is revoked; PKCE (RFC 7636)
 * - password: no client needed; refused for users with two-factor, blocked users and wrong passwords
 * - client_credentials: a token without a user, to which the API answers 401
 * - refresh_token: rotation; reuse revokes the family
 * - clients by Basic or body, bodies as form and JSON
 * - {access_token, token_type, expires_in: 7200, refresh_token, scope, created_at}
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

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const statusOf = async (token: string) =>
  (await server.inject('GET', '/user', bearer(token))).status
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const refresh = (token: string, values: Record<string, string> = credentialsOf(app)) =>
  postForm(server, 'token', { grant_type: 'refresh_token', refresh_token: token, ...values })

function expectError(answer: InjectedAnswer, status: number, error: string) {
  expect([answer.status, answer.body]).toEqual([
    status,
    { error, error_description: expect.any(String) },
  ])
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.headers['cache-control']).toBe('no-store')
}

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
    expect(await statusOf(next.access_token)).toBe(200)
    expectError(await redeem(server, app, code), 401, 'invalid_grant')
    expect(await statusOf(next.access_token)).toBe(401)
    expectError(await refresh(next.refresh_token), 401, 'invalid_grant')
  })

  it('takes a code once, even concurrently', async () => {
    const code = await getCode(browser, app)
    const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(server, app, code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
    const { body } = answers.find(({ status }) => status === 200) ?? { body: {} }
    expect(await statusOf(body.access_token)).toBe(401)
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
    expect(await statusOf(body.access_token)).toBe(401)
    expectError(await redeem(server, gone, pending), 401, 'invalid_client')
    expect((await browser.send('GET', authorizeUrl(gone))).status).toBe(400)
    await server.runJobs()
    const left = await server.app.db.all('test.grants', { id: gone.id }, (db, $) =>
      db.selectFrom('oauthGrants').select('id').where('applicationId', '=', $('id')),
    )
    expect(left).toEqual([])
    expect(await statusOf(body.access_token)).toBe(401)
  })
})

describe('POST /oauth/token: password', () => {
  it('needs no client, and takes JSON as well', async () => {
    const { username, password, email } = user
    const body = { grant_type: 'password', username, password }
    const json = await server.inject('POST', '//oauth/token', { body })
    expect([json.status, json.body.scope]).toEqual([200, 'api'])
    expect(await statusOf(json.body.access_token)).toBe(200)
    const tokens = await passwordTokens(server, { username: email, password })
    const next = await refresh(tokens.refresh_token, {})
    expect(await statusOf(next.body.access_token)).toBe(200)
  })

  it('gives the scopes that are asked for, and sudo to administrators only', async () => {
    const scope = async (values: Record<string, string>, by = user) =>
      (await passwordTokens(server, by, values)).scope
    expect(await scope({ scope: 'read_repository' })).toBe('read_repository')
    const narrow = await createApplication(server, { scopes: 'read_user sudo' })
    const all = { ...credentialsOf(narrow), scope: 'sudo read_user' }
    expect(await scope(all)).toBe('read_user')
    expect(await scope(credentialsOf(narrow))).toBe('read_user')
    expect(await scope(all, { ...user, ...server.root })).toBe('read_user sudo')
    const { username, password } = user
    const fields = { grant_type: 'password', username, password }
    for (const wrong of [
      { scope: 'root' },
      { scope: 'sudo' },
      { ...credentialsOf(narrow), scope: 'api' },
      { ...credentialsOf(narrow), scope: 'sudo' },
    ]) {
      expectError(await postForm(server, 'token', { ...fields, ...wrong }), 400, 'invalid_scope')
    }
  })

  it('answers 401 for a wrong password, an unknown and a blocked user, and a wrong client', async () => {
    const blocked = await server.buildUser()
    await callAs(server, 'POST', `/users/${blocked.id}/block`, server.root.token)
    for (const fields of [
      { username: user.username, password: 'wrong' },
      { username: 'nobody-at-all', password: 'wrong' },
      { username: blocked.username, password: blocked.password },
    ]) {
      const answer = await postForm(server, 'token', { grant_type: 'password', ...fields })
      expectError(answer, 401, 'invalid_grant')
    }
    const { username, password } = user
    const fields = { grant_type: 'password', username, password, client_id: app.application_id }
    expectError(await postForm(server, 'token', fields), 401, 'invalid_client')
  })

  it('answers 401 for users with two-factor, and who must change their password', async () => {
    const careful = await server.buildUser()
    await server.app.db.run('test.two-factor', { id: careful.id }, (db, $) =>
      db.updateTable('users').set({ twoFactorEnabled: 1 }).where('id', '=', $('id')),
    )
    const reset = await server.buildUser()
    const password = 'set by an admin'
    await callAs(server, 'PUT', `/users/${reset.id}`, server.root.token, { password })
    for (const each of [careful, { ...reset, password }]) {
      const { username } = each
      const fields = { grant_type: 'password', username, password: each.password }
      expectError(await postForm(server, 'token', fields), 401, 'invalid_grant')
    }
  })

  it('answers 429 after ten failures a minute', async () => {
    const other = await server.buildUser()
    const fields = { grant_type: 'password', username: other.username }
    const send = (password: string) => postForm(server, 'token', { ...fields, password })
    for (let i = 0; i < 10; i += 1) expect((await send('wrong')).status).toBe(401)
    const limited = await send(other.password)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
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

describe('POST /oauth/token: refresh_token', () => {
  it('returns new tokens, and ends those from before', async () => {
    const first = (await redeem(server, app, await getCode(browser, app))).body
    const { status, body } = await refresh(first.refresh_token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'api' })
    expect(body.access_token).not.toBe(first.access_token)
    const ended = await server.inject('GET', '/user', bearer(first.access_token))
    expect([ended.status, ended.body]).toEqual([
      401,
      {
        message: '401 Unauthorized',
        error: 'invalid_token',
        error_description: expect.any(String),
      },
    ])
    expect(await statusOf(body.access_token)).toBe(200)
  })

  it('revokes the whole family when one is used again', async () => {
    const first = (await redeem(server, app, await getCode(browser, app))).body
    const second = (await refresh(first.refresh_token)).body
    expectError(await refresh(first.refresh_token), 401, 'invalid_grant')
    expect(await statusOf(second.access_token)).toBe(401)
    expectError(await refresh(second.refresh_token), 401, 'invalid_grant')
  })

  it('takes one once, even concurrently', async () => {
    const first = (await redeem(server, app, await getCode(browser, app))).body
    const answers = await Promise.all([1, 2, 3].map(() => refresh(first.refresh_token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  })

  it('keeps the scopes or gives fewer, and the next one has all again', async () => {
    const code = await getCode(browser, app, { scope: 'read_user email' })
    const first = (await redeem(server, app, code)).body
    const values = { ...credentialsOf(app), scope: 'email' }
    const fewer = (await refresh(first.refresh_token, values)).body
    expect(fewer.scope).toBe('email')
    expect((await server.inject('GET', '/user', bearer(fewer.access_token))).status).toBe(403)
    const more = { ...credentialsOf(app), scope: 'api' }
    expectError(await refresh(fewer.refresh_token, more), 400, 'invalid_scope')
    expect((await refresh(fewer.refresh_token)).body.scope).toBe('read_user email')
  })

  it('answers 401 for another client, an unknown token and a blocked user', async () => {
    const person = await server.buildUser()
    const page = await signedIn(server, person)
    const { body } = await redeem(server, app, await getCode(page, app))
    const other = await createApplication(server)
    const wrong = await refresh(body.refresh_token, credentialsOf(other))
    expectError(wrong, 401, 'invalid_grant')
    expectError(await refresh(body.refresh_token, {}), 401, 'invalid_grant')
    expectError(await refresh('nothing'), 401, 'invalid_grant')
    expectError(await refresh(body.access_token), 401, 'invalid_grant')
    await callAs(server, 'POST', `/users/${person.id}/block`, server.root.token)
    expectError(await refresh(body.refresh_token), 401, 'invalid_grant')
    await callAs(server, 'POST', `/users/${person.id}/unblock`, server.root.token)
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })

  it('goes with the user, like everything that was granted', async () => {
    const person = await server.buildUser()
    const page = await signedIn(server, person)
    const { body } = await redeem(server, app, await getCode(page, app))
    await callAs(server, 'DELETE', `/users/${person.id}`, server.root.token)
    expect(await statusOf(body.access_token)).toBe(401)
    await server.runJobs()
    expectError(await refresh(body.refresh_token), 401, 'invalid_grant')
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
