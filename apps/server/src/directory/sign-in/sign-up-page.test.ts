import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * - a form with name, username, e-mail address and password creates an account and signs in
 * - `signup_enabled` off: no form, no account
 * - `domain_whitelist`, `domain_blacklist` with `domain_blacklist_enabled`, `*` as a wildcard
 * - `send_user_confirmation_email`: no sign-in before the address is confirmed
 * - `after_sign_up_text` is shown afterwards
 * - a taken address is said to be taken, as v4 does
 * - at most six attempts a minute and network
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
// Attempts are counted by the minute.
beforeEach(() => server.advance(61_000))
afterEach(() =>
  setSettings(server, {
    signup_enabled: true,
    domain_whitelist: null,
    domain_blacklist_enabled: false,
    send_user_confirmation_email: false,
    after_sign_up_text: null,
  }),
)

const path = '/users/sign_up'
let sequence = 0

function person(overrides: Record<string, string> = {}) {
  sequence += 1
  const username = `visitor${sequence}`
  const values: Record<string, string> = {
    name: `Visitor ${sequence}`,
    username,
    email: `${username}@example.com`,
    password: 'a long password',
    ...overrides,
  }
  const fields = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`new_user[${name}]`, value]),
  )
  return { ...values, username: values.username ?? '', fields }
}

const find = async (username: string) =>
  (await server.inject('GET', `/users?username=${username}`, { token: server.root.token })).body[0]

describe('/users/sign_up', () => {
  it('shows a labelled form, which the sign-in page leads to', async () => {
    const browser = openBrowser(server)
    expect((await browser.send('GET', '/users/sign_in')).text).toContain(`href="${path}"`)
    const { status, text, headers } = await browser.send('GET', path)
    expect(status).toBe(200)
    for (const name of ['name', 'username', 'email', 'password']) {
      expect(text).toContain(`<label for="new_user_${name}">`)
      expect(text).toContain(`name="new_user[${name}]"`)
    }
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('creates an account with the defaults of the settings, and signs in', async () => {
    await setSettings(server, { default_projects_limit: 7 })
    const { fields, username } = person()
    const browser = openBrowser(server)
    const answer = await browser.submit(path, fields)
    expect([answer.status, answer.headers.location]).toEqual([302, '/'])
    expect((await browser.send('GET', '/api/v4/user')).body).toMatchObject({
      ...{ username, projects_limit: 7, external: false },
      confirmed_at: expect.any(String),
    })
    await setSettings(server, { default_projects_limit: 100_000 })
    expect((await openBrowser(server).signIn(username, 'a long password')).status).toBe(302)
    expect((await browser.send('GET', path)).headers.location).toBe('/')
  })

  it('takes no other values, such as that the user is an administrator', async () => {
    const { fields, username } = person()
    await openBrowser(server).submit(path, {
      ...fields,
      'new_user[admin]': '1',
      'new_user[projects_limit]': '9',
    })
    expect(await find(username)).toMatchObject({ is_admin: false, projects_limit: 100_000 })
  })

  it.each([
    ['name', { name: ' ' }],
    ['username', { username: 'a b' }],
    ['username', { username: 'root' }],
    ['username', { username: 'x'.repeat(300) }],
    ['email', { email: 'nowhere' }],
    ['email', { email: 'admin@example.com' }],
    ['password', { password: 'short' }],
  ])('answers 422 with an error beside %s for %j', async (field, overrides) => {
    await server.inject('POST', '/users', {
      token: server.root.token,
      body: {
        ...{ username: `taken${sequence}`, name: 'x', email: 'admin@example.com' },
        password: 'a long password',
      },
    })
    const { fields, username } = person(overrides)
    const answer = await openBrowser(server).submit(path, fields)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(`id="new_user_${field}-wrong"`)
    expect(answer.text).not.toContain('a long password')
    if (username.startsWith('visitor')) expect(await find(username)).toBeUndefined()
  })

  it('says that an address is taken', async () => {
    const { fields } = person({ email: 'admin@example.com' })
    const { text } = await openBrowser(server).submit(path, fields)
    expect(text).toContain('Email has already been taken')
  })

  it('refuses a form without its token', async () => {
    const { fields, username } = person()
    const form = new URLSearchParams(fields).toString()
    expect((await openBrowser(server).send('POST', path, form)).status).toBe(422)
    expect(await find(username)).toBeUndefined()
  })

  it('shows a form again that lost its cookie, but for the password', async () => {
    const { fields, username } = person()
    const form = new URLSearchParams(fields).toString()
    const headers = { 'sec-fetch-site': 'same-origin' }
    const { status, text } = await server.inject('POST', `/${path}`, { form, headers })
    expect([status, text.includes(`value="${username}"`)]).toEqual([422, true])
    expect(text).not.toContain('a long password')
    expect(await find(username)).toBeUndefined()
  })

  it('is closed while signup_enabled is off', async () => {
    const browser = openBrowser(server)
    await browser.send('GET', path)
    await setSettings(server, { signup_enabled: false })
    expect((await browser.send('GET', path)).headers.location).toBe('/users/sign_in')
    expect((await browser.send('GET', '/users/sign_in')).text).not.toContain(path)
    const { fields, username } = person()
    const late = openBrowser(server)
    await setSettings(server, { signup_enabled: true })
    const { text } = await late.send('GET', path)
    await setSettings(server, { signup_enabled: false })
    const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(text) ?? []
    const form = new URLSearchParams({ ...fields, authenticity_token: token }).toString()
    expect((await late.send('POST', path, form)).headers.location).toBe('/users/sign_in')
    expect(await find(username)).toBeUndefined()
  })

  it('takes the domains that the lists allow', async () => {
    const attempt = async (email: string) => {
      const { status, text } = await openBrowser(server).submit(path, person({ email }).fields)
      return [status, /id="new_user_email-wrong">([^<]*)/.exec(text)?.[1]]
    }
    await setSettings(server, { domain_whitelist: ['corp.test', '*.corp.test'] })
    expect(await attempt('a@corp.test')).toEqual([302, undefined])
    expect(await attempt('a@x.corp.test')).toEqual([302, undefined])
    const other = [422, 'Email domain is not authorized for sign-up']
    expect(await attempt('a@example.com')).toEqual(other)
    await setSettings(server, {
      domain_whitelist: null,
      domain_blacklist: ['*.evil.test'],
      domain_blacklist_enabled: true,
    })
    expect(await attempt('b@x.evil.test')).toEqual([422, 'Email is not from an allowed domain.'])
    expect(await attempt('b@example.org')).toEqual([302, undefined])
  })

  it('shows after_sign_up_text, without scripts', async () => {
    const text = '**Welcome** <script>alert(1)</script>'
    await setSettings(server, { after_sign_up_text: text })
    const browser = openBrowser(server)
    const answer = await browser.submit(path, person().fields)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<strong>Welcome</strong>')
    expect(answer.text).not.toContain('<script')
    expect((await browser.send('GET', '/')).status).toBe(200)
  })

  it('signs in once the address is confirmed while confirmations are sent', async () => {
    await setSettings(server, { send_user_confirmation_email: true, after_sign_up_text: 'Soon' })
    const { fields, username } = person()
    const browser = openBrowser(server)
    const answer = await browser.submit(path, fields)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('confirm your address')
    expect(answer.text).toContain('Soon')
    expect((await browser.send('GET', '/')).headers.location).toBe('/users/sign_in')
    const early = await browser.signIn(username, 'a long password')
    expect(early.status).toBe(403)
    expect(early.text).toContain('confirm your e-mail address')
    const { id } = await find(username)
    await server.app.db.run('test.confirm', { id, now: 1 }, (db, $) =>
      db
        .updateTable('users')
        .set({ confirmedAt: $('now') })
        .where('id', '=', $('id')),
    )
    expect((await browser.signIn(username, 'a long password')).status).toBe(302)
  })

  it('takes six attempts a minute from a network', async () => {
    const browser = openBrowser(server)
    const attempt = () => browser.submit(path, person({ password: 'short' }).fields)
    for (let count = 0; count < 6; count += 1) expect((await attempt()).status).toBe(422)
    const { fields, username } = person()
    const late = await browser.submit(path, fields)
    expect(late.status).toBe(429)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect(await find(username)).toBeUndefined()
    server.advance(61_000)
    expect((await browser.submit(path, fields)).status).toBe(302)
  })
})
