/**
 * - form `POST /users/sign_in`, second step `user[otp_attempt]` with two-factor
 * - the form asks for the code on a second page
 * - recovery codes are accepted, each once
 * - failed sign-ins are limited, whichever step fails
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser as openBrowserOf, tokenOf } from '../../testing/clients/browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { enableTwoFactor, totpAt } from '../../testing/two-factor.ts'

let server: TestServer
const openBrowser = (of = server) => openBrowserOf(of)
type Browser = ReturnType<typeof openBrowser>
const path = '/users/sign_in'

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function userWithTwoFactor(of = server) {
  const user = await of.buildUser()
  return { user, app: await enableTwoFactor(of, user) }
}

/** A browser that is asked for the code. */
async function atSecondStep(user: TestUser, more: Record<string, string> = {}, of = server) {
  const browser = openBrowser(of)
  const page = await browser.signIn(user.username, user.password, more)
  return { browser, page, send: sendCode(browser, tokenOf(page.text), more) }
}

function sendCode(browser: Browser, token: string, more: Record<string, string> = {}) {
  return (code: string, others: Record<string, string> = {}) => {
    const fields = { authenticity_token: token, 'user[otp_attempt]': code, ...more, ...others }
    return browser.send('POST', path, new URLSearchParams(fields).toString())
  }
}

const isSignedIn = async (browser: Browser) => (await browser.send('GET', '/')).status === 200
const withoutTokens = (text: string) => text.replace(/value="[^"]*"/g, '')

describe('the first step', () => {
  it('asks for a code after the right password, and signs nobody in', async () => {
    const { user } = await userWithTwoFactor()
    const { browser, page } = await atSecondStep(user)
    expect(page.status).toBe(200)
    expect(page.text).toContain('name="user[otp_attempt]"')
    expect(page.text).toContain('<label for="user_otp_attempt">')
    expect(page.text).toContain('autocomplete="one-time-code"')
    expect(browser.cookies.has('_service_session')).toBe(false)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await browser.send('GET', '/api/v4/user')).status).toBe(401)
    const shown = await server.inject('GET', `/users/${user.id}`, { token: server.root.token })
    expect(shown.body.current_sign_in_at).toBeNull()
  })

  it('keeps its state in a cookie of this page, which scripts cannot read', async () => {
    const { user } = await userWithTwoFactor()
    const { browser } = await atSecondStep(user)
    const line = browser.lines.find((cookie) => cookie.startsWith('_service_two_factor=')) ?? ''
    for (const part of ['HttpOnly', 'SameSite=Lax', `Path=${path}`, 'Max-Age=300']) {
      expect(line).toContain(part)
    }
    const rows = await server.app.db.all('test.pending', {}, (db) =>
      db.selectFrom('pendingSignIns').selectAll(),
    )
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('_service_two_factor'))
  })

  it('starts under a new id each time, whatever the browser sent', async () => {
    const { user } = await userWithTwoFactor()
    const browser = openBrowser()
    browser.cookies.set('_service_two_factor', 'planted-by-someone-0123456')
    await browser.signIn(user.username, user.password)
    const first = browser.cookies.get('_service_two_factor')
    expect(first).not.toBe('planted-by-someone-0123456')
    await browser.signIn(user.username, user.password)
    expect(browser.cookies.get('_service_two_factor')).not.toBe(first)
  })

  it('gives the same answer to a wrong password, whoever the user is', async () => {
    const { user } = await userWithTwoFactor()
    const plain = await server.buildUser()
    const answers = []
    for (const login of [user.username, plain.username, 'nobody-at-all']) {
      const browser = openBrowser()
      const { status, text, headers } = await browser.signIn(login, 'wrong password')
      const names = [...browser.cookies.keys()]
      answers.push({
        status,
        text: withoutTokens(text),
        names,
        length: headers['set-cookie']?.length,
      })
    }
    expect(answers[0]?.status).toBe(401)
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })
})

describe('the second step', () => {
  it('signs in with a code, and returns to the requested page', async () => {
    const { user, app } = await userWithTwoFactor()
    const target = '/-/profile/personal_access_tokens'
    const { browser, page, send } = await atSecondStep(user, { return_to: target })
    expect(page.text).toContain(`name="return_to" value="${target}"`)
    const done = await send(app.nextCode())
    expect([done.status, done.headers.location]).toEqual([302, target])
    expect(browser.cookies.has('_service_two_factor')).toBe(false)
    expect(browser.cookies.has('_service_sign_in')).toBe(false)
    expect((await browser.send('GET', '/api/v4/user')).body).toMatchObject({
      id: user.id,
      two_factor_enabled: true,
    })
  })

  it('remembers the user if the first step said so', async () => {
    const { user, app } = await userWithTwoFactor()
    const { browser, send } = await atSecondStep(user, { 'user[remember_me]': '1' })
    await send(app.nextCode())
    const line = browser.lines.find((cookie) => cookie.startsWith('_service_session=')) ?? ''
    expect(line).toContain('Max-Age=604800')
  })

  it('never leads to another server', async () => {
    const { user, app } = await userWithTwoFactor()
    const { send } = await atSecondStep(user)
    const done = await send(app.nextCode(), { return_to: '//evil.test' })
    expect(done.headers.location).toBe('/')
  })

  it('signs in with a recovery code, once', async () => {
    const { user, app } = await userWithTwoFactor()
    const [code = ''] = app.recoveryCodes
    const first = await atSecondStep(user)
    expect((await first.send(code)).status).toBe(302)
    expect(await isSignedIn(first.browser)).toBe(true)
    const { body } = await server.inject('GET', '/user/two_factor', { token: user.token })
    expect(body.recovery_codes_left).toBe(9)
    const second = await atSecondStep(user)
    expect((await second.send(code)).status).toBe(401)
    expect(await isSignedIn(second.browser)).toBe(false)
  })

  it('shows an error for a wrong code, and lets the user try again', async () => {
    const { user, app } = await userWithTwoFactor()
    const { browser, send } = await atSecondStep(user)
    const wrong = await send(app.wrongCode())
    expect(wrong.status).toBe(401)
    expect(wrong.text).toContain('<a href="#user_otp_attempt">')
    expect(wrong.text).toContain('name="user[otp_attempt]"')
    expect((await send('')).status).toBe(401)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await send(app.nextCode())).status).toBe(302)
  })

  it('accepts each code once, also from two browsers at once', async () => {
    const { user, app } = await userWithTwoFactor()
    const [one, other] = [await atSecondStep(user), await atSecondStep(user)]
    const code = app.nextCode()
    const answers = await Promise.all([one.send(code), other.send(code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401])
    const later = await atSecondStep(user)
    expect((await later.send(code)).status).toBe(401)
  })

  it('opens one session only', async () => {
    const { user, app } = await userWithTwoFactor()
    const { browser, send } = await atSecondStep(user)
    const cookie = browser.cookies.get('_service_two_factor') ?? ''
    const form = browser.cookies.get('_service_sign_in') ?? ''
    const code = app.nextCode()
    expect((await send(code)).status).toBe(302)
    const thief = openBrowser()
    thief.cookies.set('_service_two_factor', cookie).set('_service_sign_in', form)
    const again = await sendCode(thief, form)(totpAt(app.secret, server.app.now() + 30_000))
    expect(again.status).toBe(401)
    expect(again.text).toContain('The sign-in has expired')
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('opens one session only, also for two right codes at once', async () => {
    const { user, app } = await userWithTwoFactor()
    const { send } = await atSecondStep(user)
    const [one = '', other = ''] = app.recoveryCodes
    const answers = await Promise.all([send(one), send(other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401])
  })

  it('works in the browser of the first step only', async () => {
    const { user, app } = await userWithTwoFactor()
    await atSecondStep(user)
    const other = openBrowser()
    const form = tokenOf((await other.send('GET', path)).text)
    const answer = await sendCode(other, form)(app.nextCode())
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('The sign-in has expired')
    expect(answer.text).toContain('name="user[password]"')
    expect(await isSignedIn(other)).toBe(false)
    const forged = openBrowser()
    forged.cookies.set('_service_two_factor', 'x'.repeat(27))
    const token = tokenOf((await forged.send('GET', path)).text)
    expect((await sendCode(forged, token)(app.nextCode())).status).toBe(401)
  })

  it('rejects forms of other sites', async () => {
    const { user, app } = await userWithTwoFactor()
    const { browser, send } = await atSecondStep(user)
    const code = app.nextCode()
    expect((await send(code, { authenticity_token: 'x' })).status).toBe(422)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await send(code)).status).toBe(302)
  })

  it('expires after five minutes', async () => {
    const { user, app } = await userWithTwoFactor()
    const inTime = await atSecondStep(user)
    server.advance(5 * 60_000 - 31_000)
    expect((await inTime.send(app.nextCode())).status).toBe(302)
    const late = await atSecondStep(user)
    server.advance(5 * 60_000 + 1)
    const answer = await late.send(app.nextCode())
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('The sign-in has expired')
    expect(late.browser.cookies.has('_service_two_factor')).toBe(false)
    expect(await isSignedIn(late.browser)).toBe(false)
  })

  it('ends when the user is blocked, gets another password or turns it off', async () => {
    const root = { token: server.root.token }
    const blocked = await userWithTwoFactor()
    const asBlocked = await atSecondStep(blocked.user)
    await server.inject('POST', `/users/${blocked.user.id}/block`, root)
    expect((await asBlocked.send(blocked.app.nextCode())).status).toBe(401)
    const fresh = await openBrowser().signIn(blocked.user.username, blocked.user.password)
    expect(fresh.status).toBe(403)

    const reset = await userWithTwoFactor()
    const asReset = await atSecondStep(reset.user)
    const body = { password: 'set by an admin' }
    await server.inject('PUT', `/users/${reset.user.id}`, { ...root, body })
    expect((await asReset.send(reset.app.nextCode())).status).toBe(401)

    const off = await userWithTwoFactor()
    const asOff = await atSecondStep(off.user)
    await server.inject('PATCH', `/users/${off.user.id}/disable_two_factor`, root)
    expect((await asOff.send(off.app.nextCode())).status).toBe(401)
    const alone = await openBrowser().signIn(off.user.username, off.user.password)
    expect(alone.status).toBe(302)
  })

  it('comes before the change of a password that an administrator has set', async () => {
    const { user, app } = await userWithTwoFactor()
    const body = { password: 'set by an admin' }
    await server.inject('PUT', `/users/${user.id}`, { token: server.root.token, body })
    const { send } = await atSecondStep({ ...user, password: 'set by an admin' })
    expect((await send(app.nextCode())).headers.location).toBe('/-/profile/password/new')
  })

  it.each([
    ['a list', 'user[otp_attempt][]=123456'],
    ['a map', 'user[otp_attempt][x]=123456'],
    ['a NUL byte', 'user[otp_attempt]=a%00b'],
    ['a megabyte', `user[otp_attempt]=${'1'.repeat(1_000_000)}`],
  ])('answers 401 to %s', async (_what, form) => {
    const { user } = await userWithTwoFactor()
    const { browser, page } = await atSecondStep(user)
    const token = tokenOf(page.text)
    const answer = await browser.send('POST', path, `authenticity_token=${token}&${form}`)
    expect(answer.status).toBe(401)
  })
})

describe('guessing codes', () => {
  it('counts as failed sign-ins, together with passwords', async () => {
    const own = await buildTestServer()
    try {
      const { user, app } = await userWithTwoFactor(own)
      const { send } = await atSecondStep(user, {}, own)
      for (let i = 0; i < 5; i += 1) {
        expect((await send(app.wrongCode())).status).toBe(401)
        expect((await openBrowser(own).signIn(user.username, 'wrong password')).status).toBe(401)
      }
      const limited = await send(app.nextCode())
      expect(limited.status).toBe(429)
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
      expect(limited.headers['ratelimit-limit']).toBe('10')
      expect((await openBrowser(own).signIn(user.username, user.password)).status).toBe(429)
      own.advance(61_000)
      expect((await send(app.nextCode())).status).toBe(302)
    } finally {
      await own.close()
    }
  })

  it('locks the codes of the account after ten wrong ones, also from many networks', async () => {
    const own = await buildTestServer({ trustProxy: 1 })
    try {
      const { user, app } = await userWithTwoFactor(own)
      const { page, browser } = await atSecondStep(user, {}, own)
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const guess = (code: string, host: number) =>
        own.inject('POST', `/${path}`, {
          form: new URLSearchParams({
            authenticity_token: tokenOf(page.text),
            'user[otp_attempt]': code,
          }).toString(),
          headers: { cookie, 'x-forwarded-for': `10.1.0.${host}` },
        })
      const guesses = Array.from({ length: 15 }, (_, host) => guess(app.wrongCode(), host + 1))
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      expect(statuses.filter((status) => status === 429)).toHaveLength(5)
      own.advance(61_000)
      const locked = await guess(app.nextCode(), 100)
      expect(locked.status).toBe(429)
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(400)
      // Nobody without the password gets that far: the lock is not for others to set.
      own.advance(10 * 60_000)
      const { send } = await atSecondStep(user, {}, own)
      expect((await send(app.nextCode())).status).toBe(302)
    } finally {
      await own.close()
    }
  })

  it('starts anew after a right code', async () => {
    const own = await buildTestServer()
    try {
      const { user, app } = await userWithTwoFactor(own)
      for (let round = 0; round < 2; round += 1) {
        const { send } = await atSecondStep(user, {}, own)
        for (let i = 0; i < 7; i += 1) expect((await send(app.wrongCode())).status).toBe(401)
        expect((await send(app.nextCode())).status).toBe(302)
        own.advance(61_000)
      }
    } finally {
      await own.close()
    }
  })
})
