import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser as openBrowserOf } from '../../testing/clients/browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
const openBrowser = (of = server) => openBrowserOf(of)

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('/-/profile/personal_access_tokens', () => {
  const page = '/-/profile/personal_access_tokens'
  const at = (name: string) => `personal_access_token[${name}]`

  async function signedInBrowser(overrides = {}) {
    const user = await server.buildUser(overrides)
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    return { user, browser }
  }

  it('redirects to sign-in without a session', async () => {
    const answer = await openBrowser().send('GET', page)
    const location = `/users/sign_in?return_to=${encodeURIComponent(page)}`
    expect([answer.status, answer.headers.location]).toEqual([302, location])
  })

  const shownToken = (text: string) => /id="created-personal-access-token">([^<]+)</.exec(text)?.[1]

  it('shows a new token once, and it works', async () => {
    const { user, browser } = await signedInBrowser()
    const made = await browser.submit(page, {
      [at('name')]: 'my <laptop>',
      [`${at('scopes')}[]`]: 'api',
      [at('expires_at')]: '2999-12-31',
    })
    expect([made.status, made.headers.location]).toEqual([302, page])
    const shown = await browser.send('GET', page)
    expect(shown.text).toContain('Your new token “my &lt;laptop&gt;”')
    const token = shownToken(shown.text) ?? ''
    expect((await server.inject('GET', '/user', { token })).body.id).toBe(user.id)
    const later = await browser.send('GET', page)
    expect(later.text).not.toContain(token)
    expect(later.text).toContain('expires 2999-12-31')
    expect(later.text.match(/my &lt;laptop&gt;<\/strong>/g)).toHaveLength(1)
  })

  const made = { [at('name')]: 'x', [`${at('scopes')}[]`]: 'api' }
  const cookieName = '_service_shown_once'

  it('passes a new token in an encrypted HttpOnly cookie restricted to this page', async () => {
    const { browser } = await signedInBrowser()
    await browser.submit(page, made)
    const line = browser.lines.findLast((cookie) => cookie.startsWith(`${cookieName}=`)) ?? ''
    for (const part of ['HttpOnly', 'SameSite=Lax', `Path=${page}`, 'Max-Age=60']) {
      expect(line).toContain(part)
    }
    const token = shownToken((await browser.send('GET', page)).text) ?? 'none'
    expect(line).not.toContain(token)
    expect(browser.cookies.has(cookieName)).toBe(false)
  })

  it('ignores an expired or forged token cookie, and that of another user', async () => {
    const own = await buildTestServer()
    try {
      const open = async () => {
        const user = await own.buildUser()
        const browser = openBrowser(own)
        await browser.signIn(user.username, user.password)
        await browser.submit(page, made)
        return { user, browser, sealed: browser.cookies.get(cookieName) ?? '' }
      }
      const { user, browser, sealed } = await open()
      const other = await open()
      const shown = async (cookie: string) => {
        browser.cookies.set(cookieName, cookie)
        return shownToken((await browser.send('GET', page)).text)
      }
      const changed = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`
      const long = 'v1.'.padEnd(8000, 'A')
      for (const planted of [other.sealed, changed, user.token, long, 'v1.', '%00', '"><b>']) {
        expect([planted, await shown(planted)]).toEqual([planted, undefined])
      }
      expect(await shown(sealed)).toBeDefined()
      own.advance(61_000)
      expect(await shown(sealed)).toBeUndefined()
      expect(browser.cookies.has(cookieName)).toBe(false)
    } finally {
      await own.close()
    }
  })

  it('revokes only the tokens of the user', async () => {
    const { user, browser } = await signedInBrowser()
    const list = await browser.send('GET', page)
    const action = /action="([^"]+\/revoke)"/.exec(list.text)?.[1] ?? ''
    const foreign = await browser.submit(page, {}, `${page}/1/revoke`)
    expect(foreign.status).toBe(404)
    expect(foreign.headers['content-type']).toContain('text/html')
    const revoked = await browser.submit(page, {}, action)
    expect([revoked.status, revoked.headers.location]).toEqual([302, page])
    expect((await server.inject('GET', '/user', { token: user.token })).status).toBe(401)
    const { text } = await browser.send('GET', page)
    expect(text).toContain('No active tokens.')
    expect(text).not.toMatch(/<ul[^>]*><\/ul>/)
  })

  it('hides impersonation tokens', async () => {
    const { user, browser } = await signedInBrowser()
    const body = { name: 'secret helper', scopes: ['api'] }
    const token = server.root.token
    await server.inject('POST', `/users/${user.id}/impersonation_tokens`, { token, body })
    expect((await browser.send('GET', page)).text).not.toContain('secret helper')
  })

  it('offers sudo to administrators only', async () => {
    const { browser } = await signedInBrowser()
    expect((await browser.send('GET', page)).text).not.toContain('value="sudo"')
    const forced = await browser.submit(page, { [at('name')]: 'x', [`${at('scopes')}[]`]: 'sudo' })
    expect(forced.status).toBe(422)
    const admin = await signedInBrowser({ admin: true })
    expect((await admin.browser.send('GET', page)).text).toContain('value="sudo"')
  })

  it('shows the errors and keeps the submitted values', async () => {
    const { browser } = await signedInBrowser()
    const wrong = await browser.submit(page, {
      [at('name')]: 'kept "name"',
      [at('expires_at')]: '2020-13-01',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('href="#token_scope_api"')
    expect(wrong.text).toContain('href="#token_expires_at"')
    expect(wrong.text).toContain('value="kept &quot;name&quot;"')
    expect(wrong.text).toContain('<title>Error: Personal access tokens · Stithy</title>')
    expect(wrong.text).toContain('<fieldset aria-describedby="token_scopes-wrong">')
    expect(wrong.text).toContain('<p class="wrong" id="token_scopes-wrong">')
    const { text } = await browser.send('GET', page)
    expect(text).toContain('<title>Personal access tokens · Stithy</title>')
    expect(text).not.toContain('token_scopes-wrong')
  })

  it('rejects a date in the past', async () => {
    const { browser } = await signedInBrowser()
    const wrong = await browser.submit(page, {
      [at('name')]: 'late',
      [`${at('scopes')}[]`]: 'api',
      [at('expires_at')]: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain(
      '<a href="#token_expires_at">The expiry cannot be a date in the past.</a>',
    )
  })

  it('rejects a form without a valid form token', async () => {
    const { browser } = await signedInBrowser()
    const form = new URLSearchParams({ [at('name')]: 'x', [`${at('scopes')}[]`]: 'api' }).toString()
    expect((await browser.send('POST', page, form)).status).toBe(422)
  })
})
