import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { pushedProject } from '../../testing/git/git-client.ts'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

/*
 * - while `enforce_terms` is on, users who have not accepted `terms` are led to a page that shows
 *   them, and API and git answer 403
 * - accepting opens everything, declining signs out
 * - changed terms are asked again
 * - administrators are asked too, and can always reach the settings
 * - deploy keys and tokens, and callers without an account, are not asked
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  ;({ project } = await pushedProject(server, { visibility: 'public' }))
})
afterAll(() => server.close())
afterEach(() => setSettings(server, { enforce_terms: false }))

let version = 0
async function enforce(): Promise<void> {
  version += 1
  server.advance(1000)
  const terms = `Be **kind** ${version} <script>alert(1)</script>`
  await setSettings(server, { enforce_terms: true, terms })
}

const path = '/-/users/terms'
const me = (token: string) => server.inject('GET', '/user', { token })

async function signedIn(login = user.username, password = user.password) {
  const browser = openBrowser(server)
  await browser.signIn(login, password)
  return browser
}

/** Answers the form of the page. */
async function decide(
  browser: ReturnType<typeof openBrowser>,
  decision: string,
  more: Record<string, string> = {},
) {
  const { text } = await browser.send('GET', path)
  const [, shown = ''] = /name="version" value="(\d+)"/.exec(text) ?? []
  return browser.submit(path, { decision, version: shown, ...more })
}

describe('enforce_terms', () => {
  beforeAll(async () => {
    user = await server.buildUser()
  })

  it('answers 403 to the API until the user has accepted', async () => {
    expect((await me(user.token)).status).toBe(200)
    await enforce()
    const refused = await me(user.token)
    expect(refused.status).toBe(403)
    expect(refused.body.message).toContain(`(@${user.username}) must accept the Terms of Service`)
    expect(refused.body.message).toContain('http://stithy.test/-/users/terms')
    const browser = await signedIn()
    expect((await browser.send('GET', '/api/v4/user')).status).toBe(403)
    expect((await decide(browser, 'accept')).status).toBe(302)
    expect((await me(user.token)).status).toBe(200)
    expect((await browser.send('GET', '/api/v4/user')).status).toBe(200)
  })

  it('leads pages to the terms, and back to where the user wanted to go', async () => {
    await enforce()
    const browser = await signedIn()
    const page = '/-/profile/personal_access_tokens'
    const led = await browser.send('GET', page)
    expect(led.headers.location).toBe(`${path}?return_to=${encodeURIComponent(page)}`)
    const { text, status } = await browser.send('GET', led.headers.location ?? '')
    expect(status).toBe(200)
    expect(text).toContain('<strong>kind</strong>')
    expect(text).not.toContain('<script')
    expect(text).toContain(`name="return_to" value="${page}"`)
    const accepted = await decide(browser, 'accept', { return_to: page })
    expect(accepted.headers.location).toBe(page)
    expect((await browser.send('GET', page)).status).toBe(200)
    const again = await browser.send('GET', path)
    expect(again.text).not.toContain('name="decision"')
  })

  it('signs out who declines', async () => {
    await enforce()
    const browser = await signedIn()
    const declined = await decide(browser, 'decline')
    expect(declined.headers.location).toBe('/users/sign_in')
    expect((await browser.send('GET', '/')).headers.location).toBe('/users/sign_in')
    expect((await me(user.token)).status).toBe(403)
  })

  it('asks again when the terms have changed, and takes only what was shown', async () => {
    await enforce()
    const browser = await signedIn()
    const { text } = await browser.send('GET', path)
    const [, old = ''] = /name="version" value="(\d+)"/.exec(text) ?? []
    await enforce()
    const outdated = await browser.submit(path, { decision: 'accept', version: old })
    expect(outdated.status).toBe(409)
    expect(outdated.text).toContain('have changed')
    expect((await me(user.token)).status).toBe(403)
    await decide(browser, 'accept')
    expect((await me(user.token)).status).toBe(200)
    await enforce()
    expect((await me(user.token)).status).toBe(403)
  })

  it('refuses a form without its token, and shows the terms to everyone', async () => {
    await enforce()
    const browser = await signedIn()
    const form = `decision=accept&version=${server.app.settingsCache.termsVersion}`
    expect((await browser.send('POST', path, form)).status).toBe(422)
    expect((await me(user.token)).status).toBe(403)
    const visitor = await openBrowser(server).send('GET', path)
    expect(visitor.text).toContain('<strong>kind</strong>')
    expect(visitor.text).not.toContain('name="decision"')
  })

  it('asks administrators too, who can always reach the settings', async () => {
    await enforce()
    const { token } = server.root
    expect((await me(token)).status).toBe(403)
    expect((await server.inject('GET', '/application/settings', { token })).status).toBe(200)
    const own = await server.inject('GET', '/application/settings', { token: user.token })
    expect([own.status, own.body.message]).toEqual([403, expect.stringContaining('must accept')])
    const sudo = await server.inject('GET', `/user?sudo=${user.id}`, { token })
    expect(sudo.status).toBe(403)
  })

  it('answers 403 to git, and lets deploy tokens and visitors go on', async () => {
    const deployToken = await server.inject('POST', `/projects/${project.id}/deploy_tokens`, {
      token: server.root.token,
      body: { name: 'x', scopes: ['read_repository'] },
    })
    await enforce()
    const refs = `//${project.path_with_namespace}.git/info/refs?service=git-upload-pack`
    const fetch = (name: string, secret: string) => {
      const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
      return server.inject('GET', refs, { headers: { authorization } })
    }
    for (const secret of [user.token, user.password]) {
      const { status, text } = await fetch(user.username, secret)
      expect([status, text]).toEqual([403, expect.stringContaining('must accept the Terms')])
    }
    const { username, token } = deployToken.body
    expect((await fetch(username, token)).status).toBe(200)
    expect((await server.inject('GET', refs)).status).toBe(200)
    expect((await server.inject('GET', `/projects/${project.id}`)).status).toBe(200)
  })
})
