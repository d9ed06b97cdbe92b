import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * - `password_authentication_enabled_for_web`: no sign-in with a password, no password grant
 * - `session_expire_delay`: minutes that a new session lasts; 0 until the browser is closed
 * - `home_page_url`: where visitors are sent; `after_sign_out_path`: where to after signing out
 * - `sign_in_text`: Markdown on the sign-in page
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
})
afterAll(() => server.close())
afterEach(() =>
  setSettings(server, {
    password_authentication_enabled_for_web: true,
    session_expire_delay: 10_080,
    home_page_url: null,
    after_sign_out_path: null,
    sign_in_text: null,
  }),
)

describe('password_authentication_enabled_for_web', () => {
  it('keeps everyone from signing in with a password', async () => {
    const browser = openBrowser(server)
    const grant = async () => {
      const answer = await server.inject('POST', '//oauth/token', {
        form: new URLSearchParams({
          grant_type: 'password',
          ...{ username: user.username, password: user.password },
        }).toString(),
      })
      return answer.status
    }
    expect(await grant()).toBe(200)
    const { text: form } = await browser.send('GET', '/users/sign_in')
    await setSettings(server, { password_authentication_enabled_for_web: false })
    const { text } = await browser.send('GET', '/users/sign_in')
    expect(text).not.toContain('user[password]')
    expect(text).toContain('switched off')
    const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(form) ?? []
    const fields = new URLSearchParams({
      ...{ authenticity_token: token, 'user[login]': user.username },
      'user[password]': user.password,
    })
    expect((await browser.send('POST', '/users/sign_in', fields.toString())).status).toBe(403)
    expect((await browser.send('GET', '/')).headers.location).toBe('/users/sign_in')
    expect(await grant()).toBe(401)
  })
})

describe('session_expire_delay', () => {
  it('is how many minutes new sessions last', async () => {
    await setSettings(server, { session_expire_delay: 5 })
    const browser = openBrowser(server)
    await browser.signIn(user.username, user.password, { 'user[remember_me]': '1' })
    const line = browser.lines.find((cookie) => cookie.startsWith('_service_session='))
    expect(line).toContain('Max-Age=300')
    server.advance(4 * 60_000)
    expect((await browser.send('GET', '/')).status).toBe(200)
    server.advance(61_000)
    expect((await browser.send('GET', '/')).headers.location).toBe('/users/sign_in')
  })

  it('of 0 lets them last until the browser is closed, for a week at most', async () => {
    await setSettings(server, { session_expire_delay: 0 })
    const browser = openBrowser(server)
    await browser.signIn(user.username, user.password, { 'user[remember_me]': '1' })
    const line = browser.lines.find((cookie) => cookie.startsWith('_service_session='))
    expect(line).not.toContain('Max-Age')
    server.advance(6 * 24 * 3_600_000)
    expect((await browser.send('GET', '/')).status).toBe(200)
    server.advance(25 * 3_600_000)
    expect((await browser.send('GET', '/')).status).toBe(302)
  })
})

describe('home_page_url', () => {
  it('is where visitors are sent from the start page, and nobody else', async () => {
    const visitor = openBrowser(server)
    const away = 'https://about.example.com/'
    await setSettings(server, { home_page_url: away })
    expect((await visitor.send('GET', '/')).headers.location).toBe(away)
    expect((await visitor.send('GET', '/users/sign_in')).status).toBe(200)
    const browser = openBrowser(server)
    await browser.signIn(user.username, user.password)
    expect((await browser.send('GET', '/')).status).toBe(200)
  })

  it.each(['/', 'http://stithy.test', 'http://stithy.test/?x'])(
    'does not redirect to itself: %s',
    async (home) => {
      await setSettings(server, { home_page_url: home })
      const { headers } = await openBrowser(server).send('GET', '/')
      expect(headers.location).toBe('/users/sign_in')
    },
  )
})

describe('after_sign_out_path', () => {
  it('is where users are sent who sign out', async () => {
    const browser = openBrowser(server)
    await browser.signIn(user.username, user.password)
    await setSettings(server, { after_sign_out_path: 'https://bye.example.com/' })
    const { headers } = await browser.send('GET', '/users/sign_out')
    expect(headers.location).toBe('https://bye.example.com/')
  })
})

describe('sign_in_text', () => {
  it('is shown on the sign-in page, without scripts', async () => {
    await setSettings(server, { sign_in_text: '# Hello\n\n*you* <script>alert(1)</script>' })
    const { text } = await openBrowser(server).send('GET', '/users/sign_in')
    expect(text).toContain('<em>you</em>')
    expect(text).not.toContain('<script')
  })
})
