/**
 * - `require_two_factor_authentication` and `two_factor_grace_period` (hours) of the settings and of
 *   groups: users without it are led to the page that sets it up, at the sign-in and, after the grace
 *   period, from every page
 * - after the grace period the API answers 403 to sessions; tokens work on
 * - HTTP Basic with a password is 401 after the grace period
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser as openBrowserOf } from '../../testing/clients/browser.ts'
import { callAs } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { enableTwoFactor, totpAt } from '../../testing/two-factor.ts'
import { passwordSignIn } from '../authentication/password-sign-in.ts'

let server: TestServer
const hour = 3_600_000
const page = '/-/profile/two_factor_auth'
const home = '/-/profile/personal_access_tokens'
const led = `${page}?return_to=${encodeURIComponent(home)}`

beforeAll(async () => {
  server = await buildTestServer()
})
afterEach(() => require(false))
afterAll(() => server.close())

async function require(isRequired: boolean, hours = 48) {
  await setSetting(server, 'require_two_factor_authentication', isRequired)
  await setSetting(server, 'two_factor_grace_period', hours)
}

async function signIn(user: TestUser) {
  const browser = openBrowserOf(server)
  const { headers } = await browser.signIn(user.username, user.password, { return_to: home })
  return { browser, location: headers.location }
}

const basic = ({ username: login, password }: TestUser) =>
  passwordSignIn(server.app, { login, password, address: '10.0.0.1' })

/** What a session of the user gets of the API and of pages. */
async function access({ browser }: { browser: ReturnType<typeof openBrowserOf> }) {
  const api = await browser.send('GET', '/api/v4/user')
  const shown = await browser.send('GET', home)
  return { api: api.status, page: shown.status, location: shown.headers.location }
}

const free = { api: 200, page: 200, location: undefined }
const stopped = { api: 403, page: 302, location: led }

describe('require_two_factor_authentication of the settings', () => {
  it('leads to the set-up at the sign-in, and lets users put it off', async () => {
    await require(true)
    const user = await server.buildUser()
    const signedIn = await signIn(user)
    expect(signedIn.location).toBe(led)
    const shown = await signedIn.browser.send('GET', led)
    expect(shown.text).toContain(`<a href="${home}">Not now</a>`)
    expect(await access(signedIn)).toEqual(free)
    expect((await basic(user)).id).toBe(user.id)
  })

  it('stops sessions and passwords after the grace period, but no tokens', async () => {
    await require(true, 2)
    const user = await server.buildUser()
    const signedIn = await signIn(user)
    server.advance(2 * hour - 60_000)
    expect(await access(signedIn)).toEqual(free)
    server.advance(60_000)
    expect(await access(signedIn)).toEqual(stopped)
    expect((await signedIn.browser.send('GET', '/api/v4/user')).body).toEqual({
      message: `403 Forbidden - Set up two-factor authentication first: http://stithy.test${page}`,
    })
    const shown = await signedIn.browser.send('GET', led)
    expect(shown.text).toContain('before you go on')
    expect(shown.text).not.toContain('Not now')
    expect((await signIn(user)).location).toBe(led)
    await expect(basic(user)).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await callAs(server, 'GET', '/user', user.token)).status).toBe(200)
  })

  it('stops at once without a grace period, until a code is confirmed on the page', async () => {
    await require(true, 0)
    const user = await server.buildUser()
    const signedIn = await signIn(user)
    expect(await access(signedIn)).toEqual(stopped)
    const { text } = await signedIn.browser.send('GET', led)
    const secret = /id="two-factor-secret">([A-Z2-7]+)</.exec(text)?.[1] ?? ''
    const fields = { return_to: home, 'user[otp_attempt]': totpAt(secret, server.app.now()) }
    const done = await signedIn.browser.submit(page, fields)
    expect(done.status).toBe(200)
    expect(done.text).toContain(`<a href="${home}">Continue</a>`)
    expect(await access(signedIn)).toEqual(free)
  })

  it('asks nothing of users who have it', async () => {
    const user = await server.buildUser()
    const app = await enableTwoFactor(server, user)
    await require(true, 0)
    const browser = openBrowserOf(server)
    await browser.signIn(user.username, user.password)
    const fields = { 'user[otp_attempt]': app.nextCode(), return_to: home }
    const { headers } = await browser.submit('/users/sign_in', fields)
    expect(headers.location).toBe(home)
    expect(await access({ browser })).toEqual(free)
  })

  it('applies to sessions that were opened before, with a grace period of their own', async () => {
    const user = await server.buildUser()
    const signedIn = await signIn(user)
    expect(signedIn.location).toBe(home)
    await require(true, 3)
    expect(await access(signedIn)).toEqual(free)
    server.advance(3 * hour)
    expect(await access(signedIn)).toEqual(stopped)
  })

  it('comes after the change of a password that an administrator has set', async () => {
    await require(true, 0)
    const user = await server.buildUser()
    const body = { password: 'set by an admin' }
    await callAs(server, 'PUT', `/users/${user.id}`, server.root.token, body)
    const signedIn = await signIn({ ...user, password: 'set by an admin' })
    const passwordPage = '/-/profile/password/new'
    expect(signedIn.location).toBe(`${passwordPage}?return_to=${encodeURIComponent(led)}`)
    expect((await signedIn.browser.send('GET', page)).headers.location).toContain(passwordPage)
    const fields = {
      return_to: led,
      'user[current_password]': 'set by an admin',
      'user[password]': 'chosen by myself',
      'user[password_confirmation]': 'chosen by myself',
    }
    const changed = await signedIn.browser.submit(passwordPage, fields)
    expect(changed.headers.location).toBe(led)
    expect(await access(signedIn)).toEqual(stopped)
  })

  it('gives no new grace period for turning it off and on', async () => {
    await require(true, 2)
    const user = await server.buildUser()
    await signIn(user)
    const app = await enableTwoFactor(server, user)
    server.advance(2 * hour)
    const body = { otp: app.nextCode() }
    await callAs(server, 'DELETE', '/user/two_factor', user.token, body)
    expect(await access(await signIn(user))).toEqual(stopped)
  })

  it('gives a new grace period once an administrator turned it off, or nothing was required', async () => {
    await require(true, 2)
    const user = await server.buildUser()
    await signIn(user)
    await enableTwoFactor(server, user)
    server.advance(2 * hour)
    await callAs(server, 'PATCH', `/users/${user.id}/disable_two_factor`, server.root.token)
    expect(await access(await signIn(user))).toEqual(free)
    server.advance(2 * hour)
    expect(await access(await signIn(user))).toEqual(stopped)
    await require(false)
    expect((await signIn(user)).location).toBe(home)
    await require(true, 2)
    expect(await access(await signIn(user))).toEqual(free)
  })
})

describe('require_two_factor_authentication of groups', () => {
  const required = { require_two_factor_authentication: true, two_factor_grace_period: 0 }

  it('is of the members of the group, the groups above and those below', async () => {
    const top = await server.buildGroup()
    const middle = await server.buildGroup({ parent_id: top.id, ...required })
    const low = await server.buildGroup({ parent_id: middle.id })
    const beside = await server.buildGroup({ parent_id: top.id })
    const outcomes: unknown[] = []
    for (const group of [top, middle, low, beside]) {
      const user = await server.buildUser()
      await server.addMember(`groups/${group.id}`, user.id, 10)
      const { api } = await access(await signIn(user))
      outcomes.push(api)
    }
    expect(outcomes).toEqual([403, 403, 403, 200])
    const other = await server.buildUser()
    expect(await access(await signIn(other))).toEqual(free)
  })

  it('ends with the membership, the group and the setting', async () => {
    const group = await server.buildGroup(required)
    const user = await server.buildUser()
    const today = new Date(server.app.now()).toISOString().slice(0, 10)
    await server.addMember(`groups/${group.id}`, user.id, 10, today)
    const signedIn = await signIn(user)
    expect(await access(signedIn)).toEqual(stopped)
    server.advance(24 * hour)
    expect(await access(signedIn)).toEqual(free)

    const other = await server.buildUser()
    await server.addMember(`groups/${group.id}`, other.id, 10)
    const second = await signIn(other)
    expect(await access(second)).toEqual(stopped)
    const update = (body: object) =>
      callAs(server, 'PUT', `/groups/${group.id}`, server.root.token, body)
    await update({ require_two_factor_authentication: false })
    expect(await access(second)).toEqual(free)
    await update({ require_two_factor_authentication: true })
    expect(await access(second)).toEqual(stopped)
    await callAs(server, 'DELETE', `/groups/${group.id}`, server.root.token)
    expect(await access(second)).toEqual(free)
  })

  it('takes the shortest grace period', async () => {
    await require(true, 10)
    const user = await server.buildUser()
    for (const hours of [7, 5]) {
      const group = await server.buildGroup({ ...required, two_factor_grace_period: hours })
      await server.addMember(`groups/${group.id}`, user.id, 10)
    }
    const signedIn = await signIn(user)
    server.advance(5 * hour - 60_000)
    expect(await access(signedIn)).toEqual(free)
    server.advance(60_000)
    expect(await access(signedIn)).toEqual(stopped)
  })

  it('is set by owners, and shown in the group', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const path = `/groups/${group.id}`
    const none = { require_two_factor_authentication: false, two_factor_grace_period: 48 }
    expect((await callAs(server, 'GET', path, owner.token)).body).toMatchObject(none)
    const body = { require_two_factor_authentication: true, two_factor_grace_period: 72 }
    const changed = await callAs(server, 'PUT', path, owner.token, body)
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(body)])
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    expect((await callAs(server, 'PUT', path, maintainer.token, body)).status).toBe(403)
    for (const hours of [-1, 876_001, 'soon']) {
      const wrong = { two_factor_grace_period: hours }
      expect((await callAs(server, 'PUT', path, owner.token, wrong)).status).toBe(400)
    }
  })
})
