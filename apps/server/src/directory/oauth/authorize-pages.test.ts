import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import {
  authorizeUrl,
  callback,
  consent,
  consentOf,
  createApplication,
  returned,
  signedIn,
  type TestApplication,
  type TestBrowser,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET /oauth/authorize: signed-in users only; a consent page, skipped for trusted applications;
 *   then a redirect with code and state, or access_token in the fragment
 * - refusal: error=access_denied
 * - errors are returned to the redirect URI only if client and URI are valid (RFC 6749, 4.1.2.1)
 * - redirect URIs match exactly (RFC 6749, 3.1.2.3), but for the port of loopback (RFC 8252, 7.3)
 * - consent needs the CSRF token of its page, cannot be framed, and has a strict CSP
 * - `iss` in every response (RFC 9207)
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
let browser: TestBrowser
let app: TestApplication
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser({ name: 'Grace <b>H</b>' })
  browser = await signedIn(server, user)
  app = await createApplication(server, { name: 'A <i>n</i> App' })
})
afterAll(() => server.close())

const iss = 'http://stithy.test'
const ask = (values: Record<string, string | undefined>, of = app) =>
  browser.send('GET', authorizeUrl(of, values))

describe('GET /oauth/authorize', () => {
  it('sends users who are not signed in to the sign-in, and back with the whole request', async () => {
    const url = authorizeUrl(app, { state: 's'.repeat(2000) })
    const own = openBrowser(server)
    const first = await own.send('GET', url)
    expect(first.status).toBe(302)
    expect(first.headers.location).toMatch(/^\/users\/sign_in\?return_to=/)
    const { text } = await own.send('GET', first.headers.location ?? '')
    const target = /name="return_to" value="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    const back = await own.signIn(user.username, user.password, { return_to: target ?? '' })
    expect(back.headers.location).toBe(url)
  })

  it('shows who asks for what, escaped, and where the user is sent', async () => {
    const { status, text } = await ask({ scope: 'read_user email' })
    expect(status).toBe(200)
    expect(text).toContain('A &lt;i&gt;n&lt;/i&gt; App')
    expect(text).not.toMatch(/<i>n|<b>H|<script/)
    expect(text).toContain('<code>read_user</code>')
    expect(text).toContain('<code>email</code>')
    expect(text).not.toContain('<code>api</code>')
    expect(text).toContain(`<code>${callback}</code>`)
  })

  it('cannot be framed, and has a strict content security policy', async () => {
    const { headers } = await ask({})
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('same-origin')
  })

  it('skips the consent for trusted applications', async () => {
    const trusted = await createApplication(server, { trusted: true })
    const answer = await ask({ state: 'a b&c' }, trusted)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toMatch(/^https:\/\/app\.test\/callback\?code=/)
    expect(returned(answer)).toEqual({ code: expect.any(String), state: 'a b&c', iss })
  })

  it('asks for trusted applications that another one on the machine can pose as', async () => {
    const redirect_uri = 'com.example.app:/cb'
    const native = await createApplication(server, {
      trusted: true,
      confidential: false,
      redirect_uri,
    })
    const code_challenge = 'x'.repeat(43)
    expect((await ask({ redirect_uri, code_challenge }, native)).status).toBe(200)
  })

  it('goes on by a page after our own forms, whose policy forbids redirects', async () => {
    const trusted = await createApplication(server, { trusted: true })
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { referer: 'http://localhost:3000/users/sign_in' },
    ] as Record<string, string>[]) {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await server.inject('GET', `/${authorizeUrl(trusted)}`, {
        headers: { ...headers, cookie, host: 'localhost:3000' },
      })
      expect([answer.status, answer.headers.location]).toEqual([200, undefined])
      expect(answer.text).toMatch(
        /<meta http-equiv="refresh" content="0;url=https:\/\/app\.test\/callback\?code=[\w-]+&amp;iss=/,
      )
    }
  })

  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['a client that is no id', { client_id: 'a\0b' }],
    ['another host', { redirect_uri: 'https://evil.test/callback' }],
    ['a user name', { redirect_uri: 'https://app.test@evil.test/callback' }],
    ['a fragment', { redirect_uri: `${callback}#x` }],
    ['another case', { redirect_uri: 'https://APP.test/callback' }],
    ['another path case', { redirect_uri: 'https://app.test/Callback' }],
    ['a trailing dot', { redirect_uri: 'https://app.test./callback' }],
    ['a trailing slash', { redirect_uri: `${callback}/` }],
    ['a longer path', { redirect_uri: `${callback}x` }],
    ['dots', { redirect_uri: 'https://app.test/x/../callback' }],
    ['a query', { redirect_uri: `${callback}?x=1` }],
    ['a port', { redirect_uri: 'https://app.test:443/callback' }],
    ['another scheme', { redirect_uri: 'http://app.test/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['encoded characters', { redirect_uri: 'https://app.test/%63allback' }],
    ['white space', { redirect_uri: ` ${callback}` }],
    ['a line break', { redirect_uri: `${callback}\nhttps://evil.test` }],
    ['a state that is too long', { state: 'x'.repeat(5000) }],
  ])('answers 400 without any redirect: %s', async (_, values) => {
    const answer = await ask({ scope: 'nonsense', ...values })
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.text).not.toContain('http-equiv')
  })

  it('answers 400 where the client, the URI or the state is repeated', async () => {
    for (const repeated of [
      'client_id=x',
      'redirect_uri=x',
      'state=1&state=2',
      'response_type=x',
    ]) {
      const { status, headers } = await browser.send('GET', `${authorizeUrl(app)}&${repeated}`)
      expect([repeated, status, headers.location]).toEqual([repeated, 400, undefined])
    }
  })

  it.each([
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'id_token' }],
    ['unsupported_response_type', { response_type: 'code token' }],
    ['invalid_scope', { scope: 'api root' }],
    ['invalid_scope', { scope: 'sudo' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' }],
    ['invalid_request', { code_challenge_method: 'S256' }],
  ])('returns the error %s to the application: %j', async (error, values) => {
    const answer = await ask({ state: 'xyz', ...values })
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toMatch(/^https:\/\/app\.test\/callback\?/)
    expect(returned(answer)).toEqual({
      error,
      error_description: expect.any(String),
      state: 'xyz',
      iss,
    })
  })

  it('returns an error for a repeated parameter, and in the fragment for tokens', async () => {
    const twice = await browser.send('GET', `${authorizeUrl(app)}&scope=api&scope=read_user`)
    expect(returned(twice).error).toBe('invalid_request')
    const implicit = await ask({ response_type: 'token', scope: 'nonsense' })
    expect(implicit.headers.location).toMatch(/^https:\/\/app\.test\/callback#error=invalid_scope&/)
  })

  it('requires a challenge of public clients', async () => {
    const open = await createApplication(server, { confidential: false })
    expect(returned(await ask({}, open)).error).toBe('invalid_request')
    expect((await ask({ code_challenge: 'x'.repeat(43) }, open)).status).toBe(200)
  })

  it('keeps the scopes that are registered, and offers sudo to administrators only', async () => {
    const narrow = await createApplication(server, { scopes: 'read_user sudo' })
    expect(returned(await ask({ scope: 'api' }, narrow)).error).toBe('invalid_scope')
    const { text } = await ask({ scope: 'read_user sudo' }, narrow)
    expect(text).toContain('<code>read_user</code>')
    expect(text).not.toContain('<code>sudo</code>')
    const root = await signedIn(server, server.root)
    const offered = await root.send('GET', authorizeUrl(narrow, { scope: 'read_user sudo' }))
    expect(offered.text).toContain('<code>sudo</code>')
    expect((await ask({}, narrow)).text).toContain('value="read_user"')
  })

  it('takes any port of a loopback address, and of no other host', async () => {
    const redirect_uri = 'http://127.0.0.1/cb\nhttp://[::1]:80/cb\nhttp://localhost/cb'
    const native = await createApplication(server, { redirect_uri })
    for (const [uri, status] of [
      ['http://127.0.0.1:51004/cb', 200],
      ['http://127.0.0.1/cb', 200],
      ['http://[::1]:51004/cb', 200],
      ['http://127.0.0.1:51004/cb2', 400],
      ['http://127.0.0.1:99999/cb', 400],
      ['http://127.0.0.1:0/cb', 400],
      ['http://127.0.0.1:80@evil.test/cb', 400],
      ['http://127.0.0.1.evil.test/cb', 400],
      ['https://127.0.0.1:51004/cb', 400],
      ['http://localhost:51004/cb', 400],
      ['http://127.0.0.2:51004/cb', 400],
    ] as const) {
      expect([uri, (await ask({ redirect_uri: uri }, native)).status]).toEqual([uri, status])
    }
  })

  it('needs no redirect URI where only one is registered, and keeps its query', async () => {
    const one = await createApplication(server, { redirect_uri: `${callback}?a=1` })
    const answer = await consent(browser, authorizeUrl(one, { redirect_uri: undefined }))
    expect(answer.headers.location).toMatch(/^https:\/\/app\.test\/callback\?a=1&code=/)
    const two = await createApplication(server, { redirect_uri: `${callback}\n${callback}2` })
    expect((await ask({ redirect_uri: undefined }, two)).status).toBe(400)
  })
})

describe('POST /oauth/authorize', () => {
  it('returns a code with the state after consent', async () => {
    const answer = await consent(browser, authorizeUrl(app, { state: '"><b>&amp;' }))
    expect(answer.status).toBe(302)
    expect(returned(answer)).toMatchObject({ code: expect.stringMatching(/^[\w-]{20,}$/), iss })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('returns access_denied after a refusal', async () => {
    const answer = await consent(browser, authorizeUrl(app, { state: 'xyz' }), 'deny')
    expect(returned(answer)).toMatchObject({ error: 'access_denied', state: 'xyz', iss })
  })

  it('returns a token in the fragment, without a refresh token', async () => {
    const url = authorizeUrl(app, { response_type: 'token', state: 'xyz', scope: 'read_user' })
    const answer = await consent(browser, url)
    expect(answer.headers.location).toMatch(/^https:\/\/app\.test\/callback#access_token=/)
    const { access_token, ...rest } = returned(answer)
    expect(rest).toEqual({
      token_type: 'bearer',
      expires_in: '7200',
      scope: 'read_user',
      state: 'xyz',
      iss,
    })
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await server.inject('GET', '/user', { headers })).body.id).toBe(user.id)
  })

  it('answers 422 without the CSRF token of the session, or with that of another', async () => {
    const { text } = await ask({})
    const form = consentOf(text, 'allow')
    const stranger = await signedIn(server, await server.buildUser())
    const crossed = await stranger.send('POST', '/oauth/authorize', form.toString())
    expect([crossed.status, crossed.headers.location]).toEqual([422, undefined])
    form.delete('authenticity_token')
    const bare = await browser.send('POST', '/oauth/authorize', form.toString())
    expect([bare.status, bare.headers.location]).toEqual([422, undefined])
  })

  it('checks a form like a request', async () => {
    const { text } = await ask({})
    const send = (name: string, value: string) => {
      const form = consentOf(text, 'allow')
      form.set(name, value)
      return browser.send('POST', '/oauth/authorize', form.toString())
    }
    expect((await send('redirect_uri', 'https://evil.test/')).status).toBe(400)
    expect((await send('client_id', 'nobody')).status).toBe(400)
    expect(returned(await send('scope', 'sudo')).error).toBe('invalid_scope')
    expect(returned(await send('decision', '')).error).toBe('access_denied')
  })

  it('is for users who are signed in and have changed the password that was set for them', async () => {
    const bare = await openBrowser(server).send('POST', '/oauth/authorize', '')
    expect(bare.headers.location).toBe('/users/sign_in')
    const other = await server.buildUser()
    await server.inject('PUT', `/users/${other.id}`, {
      token: server.root.token,
      body: { password: 'set by admin' },
    })
    const own = await signedIn(server, { ...other, password: 'set by admin' })
    const { headers } = await own.send('GET', authorizeUrl(app))
    expect(headers.location).toMatch(/^\/-\/profile\/password\/new\?return_to=/)
  })
})
