import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser as openBrowserOf, tokenOf } from '../../testing/clients/browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
const openBrowser = (of = server) => openBrowserOf(of)

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('/users/sign_in', () => {
  it('shows a labelled form with a strict content security policy', async () => {
    const { text, headers, status } = await openBrowser().send('GET', '/users/sign_in')
    expect(status).toBe(200)
    for (const id of ['user_login', 'user_password', 'user_remember_me']) {
      expect(text).toContain(`<label for="${id}">`)
      expect(text).toContain(`id="${id}"`)
    }
    expect(text).not.toMatch(/<script|style="|<style/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cache-control']).toBe('no-store')
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? []
    const style = await server.inject('GET', `/${sheet}`)
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8')
    expect(style.headers['cache-control']).toContain('immutable')
  })

  it('opens a session for pages and for reads of the API', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    const answer = await browser.signIn(user.email.toUpperCase(), user.password)
    expect([answer.status, answer.headers.location]).toEqual([302, '/'])
    const home = await browser.send('GET', '/')
    expect(home.status).toBe(200)
    expect(home.text).toContain(user.name)
    const api = await browser.send('GET', '/api/v4/user')
    expect(api.body.id).toBe(user.id)
    expect(api.body.current_sign_in_at).toMatch(/Z$/)
    expect(api.body.last_activity_on).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it('sets a cookie that scripts cannot read and other sites cannot use', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    const line = browser.lines.find((cookie) => cookie.startsWith('_service_session=')) ?? ''
    expect(line).toContain('HttpOnly')
    expect(line).toContain('SameSite=Lax')
    expect(line).toContain('Path=/')
    expect(line).not.toMatch(/Secure|Max-Age/)
    const lasting = openBrowser()
    await lasting.signIn(user.username, user.password, { 'user[remember_me]': '1' })
    const kept = lasting.lines.find((cookie) => cookie.startsWith('_service_session=')) ?? ''
    expect(kept).toContain('Max-Age=604800')
  })

  it('sets a secure cookie over https', async () => {
    const safe = await buildTestServer({ externalUrl: 'https://stithy.test' })
    try {
      const browser = openBrowser(safe)
      await browser.signIn('root', safe.root.password)
      expect(browser.lines.every((line) => line.includes('Secure'))).toBe(true)
    } finally {
      await safe.close()
    }
  })

  it('gives the same response for an unknown user and for a wrong password', async () => {
    const user = await server.buildUser()
    const wrong = await openBrowser().signIn(user.username, 'wrong password')
    const unknown = await openBrowser().signIn('nobody-at-all', 'wrong password')
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    const strip = (text: string) =>
      text
        .replace(/value="[^"]*"/g, '')
        .replaceAll(user.username, '')
        .replaceAll('nobody-at-all', '')
    expect(strip(wrong.text)).toBe(strip(unknown.text))
    expect(wrong.text).toContain('<a href="#user_login">')
    expect(wrong.text).toContain('aria-invalid="true"')
  })

  it('tells blocked users that they are blocked, with the right password only', async () => {
    const user = await server.buildUser()
    await server.inject('POST', `/users/${user.id}/block`, { token: server.root.token })
    const right = await openBrowser().signIn(user.username, user.password)
    expect(right.status).toBe(403)
    expect(right.text).toContain('Your account has been blocked.')
    const wrong = await openBrowser().signIn(user.username, 'wrong password')
    expect(wrong.text).not.toContain('blocked')
  })

  it('escapes the submitted values', async () => {
    const { text } = await openBrowser().signIn('"><b>x</b>', 'wrong password')
    expect(text).toContain('&quot;&gt;&lt;b&gt;x')
    expect(text).not.toContain('<b>x')
  })

  it('rejects forms of other sites and of other browsers', async () => {
    const user = await server.buildUser()
    const fields = { 'user[login]': user.username, 'user[password]': user.password }
    const bare = await openBrowser().send(
      'POST',
      '/users/sign_in',
      new URLSearchParams(fields).toString(),
    )
    expect(bare.status).toBe(422)
    const other = tokenOf((await openBrowser().send('GET', '/users/sign_in')).text)
    const planted = await openBrowser().submit('/users/sign_in', {
      ...fields,
      authenticity_token: other,
    })
    expect(planted.status).toBe(422)
  })

  it('shows a form again that lost its cookie, but for the password, and not to other sites', async () => {
    const user = await server.buildUser()
    const fields = { 'user[login]': '"kim"', 'user[password]': user.password, return_to: '/kim' }
    const send = (headers: Record<string, string>) =>
      server.inject('POST', '//users/sign_in', {
        form: new URLSearchParams(fields).toString(),
        headers,
      })
    const { status, text, headers } = await send({ 'sec-fetch-site': 'same-origin' })
    expect(status).toBe(422)
    expect(text).toContain('id="user_login" name="user[login]"')
    expect(text).toContain('value="&quot;kim&quot;"')
    expect(text).toContain('value="/kim"')
    expect(text).toContain('This form had expired.')
    expect(text).not.toContain(user.password)
    expect(headers['set-cookie']).toContain(tokenOf(text))
    const planted = await send({ 'sec-fetch-site': 'cross-site' })
    expect([planted.status, planted.text.includes('kim')]).toEqual([422, false])
  })

  it('opens a new session at every sign-in, and ends the previous one', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    browser.cookies.set('_service_session', 'planted-by-someone-0123456')
    await browser.signIn(user.username, user.password)
    const first = browser.cookies.get('_service_session') ?? ''
    expect(first).not.toBe('planted-by-someone-0123456')
    const rows = await server.app.db.all('test.sessions', {}, (db) =>
      db.selectFrom('sessions').selectAll(),
    )
    expect(JSON.stringify(rows)).not.toContain(first)
  })

  it('rejects sign-ins after ten failures a minute, then allows them again', async () => {
    const own = await buildTestServer()
    try {
      const user = await own.buildUser()
      for (let i = 0; i < 10; i += 1) {
        expect((await openBrowser(own).signIn(user.username, `wrong ${i} wrong`)).status).toBe(401)
      }
      const refused = await openBrowser(own).signIn(user.username, user.password)
      expect(refused.status).toBe(429)
      expect(refused.text).toContain('<title>Error: Sign in · Stithy</title>')
      const { headers } = refused
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(headers['ratelimit-limit']).toBe('10')
      expect(headers['ratelimit-remaining']).toBe('0')
      expect(headers['ratelimit-reset']).toBe(headers['retry-after'])
      own.advance(61_000)
      expect((await openBrowser(own).signIn(user.username, user.password)).status).toBe(302)
    } finally {
      await own.close()
    }
  })

  it('redirects to the requested page, also after failed attempts', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    const target = '/-/profile/personal_access_tokens?a=b&c=%22'
    const { headers } = await browser.send('GET', target)
    const address = headers.location ?? ''
    const login = { 'user[login]': user.username, return_to: target }
    const shown = await browser.send('GET', address)
    const kept = 'name="return_to" value="/-/profile/personal_access_tokens?a=b&amp;c=%22"'
    expect(shown.text).toContain(kept)
    const wrong = await browser.submit('/users/sign_in', { ...login, 'user[password]': 'wrong' })
    expect(wrong.text).toContain(kept)
    const right = { ...login, 'user[password]': user.password }
    const done = await browser.submit('/users/sign_in', right)
    expect([done.status, done.headers.location]).toEqual([302, target])
    expect((await browser.send('GET', address)).headers.location).toBe(target)
  })

  it('redirects there after a required password change', async () => {
    const user = await server.buildUser()
    const token = server.root.token
    const body = { password: 'set by an admin' }
    await server.inject('PUT', `/users/${user.id}`, { token, body })
    const browser = openBrowser()
    const more = { return_to: '/-/profile/personal_access_tokens' }
    const { headers } = await browser.signIn(user.username, 'set by an admin', more)
    const page = '/-/profile/password/new?return_to=%2F-%2Fprofile%2Fpersonal_access_tokens'
    expect(headers.location).toBe(page)
    expect((await browser.send('GET', more.return_to)).headers.location).toBe(page)
    expect((await browser.send('GET', page)).text).toContain(`value="${more.return_to}"`)
    const fields = {
      ...more,
      'user[current_password]': 'set by an admin',
      'user[password]': 'chosen by myself',
      'user[password_confirmation]': 'chosen by myself',
    }
    const changed = await browser.submit('/-/profile/password/new', fields)
    expect(changed.headers.location).toBe(more.return_to)
  })

  it.each(['//evil.test', 'https://evil.test', '/\\evil.test', '/%09/evil.test', '/.//evil.test'])(
    'never leads to another server: %s',
    async (target) => {
      const user = await server.buildUser()
      const browser = openBrowser()
      const path = decodeURIComponent(target)
      const { text } = await browser.send(
        'GET',
        `/users/sign_in?return_to=${encodeURIComponent(path)}`,
      )
      expect(text).toContain('name="return_to" value="/"')
      const done = await browser.signIn(user.username, user.password, { return_to: path })
      expect([done.status, done.headers.location]).toEqual([302, '/'])
    },
  )

  it.each([
    ['a nested login', 'user[login][x]=1&user[password]=2'],
    ['a list', 'user[login][]=1&user[password][]=2'],
    ['no user', 'user=1'],
    ['a NUL byte', 'user[login]=a%00b&user[password]=c'],
    ['a megabyte', `user[login]=a&user[password]=${'x'.repeat(1_000_000)}`],
  ])('answers 4xx to %s', async (_what, form) => {
    const browser = openBrowser()
    const { text } = await browser.send('GET', '/users/sign_in')
    const answer = await browser.send(
      'POST',
      '/users/sign_in',
      `authenticity_token=${tokenOf(text)}&${form}`,
    )
    expect(answer.status).toBe(401)
  })
})

describe('/', () => {
  it('redirects to sign-in without a session', async () => {
    const answer = await openBrowser().send('GET', '/')
    expect([answer.status, answer.headers.location]).toEqual([302, '/users/sign_in'])
  })
})
