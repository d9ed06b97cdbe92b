import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { enableTwoFactor, totpAt, wrongTotpAt } from '../../testing/two-factor.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const page = '/-/profile/two_factor_auth'
const secretOf = (text: string) => /id="two-factor-secret">([A-Z2-7]+)</.exec(text)?.[1] ?? ''
const codesOf = (text: string) =>
  [...text.matchAll(/<code>([a-z0-9]{8}-[a-z0-9]{8})<\/code>/g)].map(([, code = '']) => code)

async function signedIn() {
  const user = await server.buildUser()
  const browser = openBrowser(server)
  await browser.signIn(user.username, user.password)
  const state = async () => (await server.inject('GET', '/user/two_factor', user)).body
  return { user, browser, state }
}

describe(page, () => {
  it('redirects to sign-in without a session', async () => {
    const { status, headers } = await openBrowser(server).send('GET', page)
    const location = `/users/sign_in?return_to=${encodeURIComponent(page)}`
    expect([status, headers.location]).toEqual([302, location])
  })

  it('shows a secret, the same until a code is confirmed, then recovery codes once', async () => {
    const { browser, state } = await signedIn()
    const { text, headers } = await browser.send('GET', page)
    const secret = secretOf(text)
    expect(text).toContain('href="otpauth://totp/')
    expect(headers['cache-control']).toBe('no-store')
    const wrong = await browser.submit(page, {
      'user[otp_attempt]': wrongTotpAt(secret, server.app.now()),
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('<a href="#user_otp_attempt">The code is wrong')
    expect(secretOf(wrong.text)).toBe(secret)
    expect(await state()).toMatchObject({ enabled: false })
    const fields = { 'user[otp_attempt]': totpAt(secret, server.app.now()) }
    const done = await browser.submit(page, fields)
    expect([done.status, new Set(codesOf(done.text)).size]).toEqual([200, 10])
    expect(await state()).toEqual({ enabled: true, recovery_codes_left: 10 })
    const later = await browser.send('GET', page)
    expect([codesOf(later.text), secretOf(later.text)]).toEqual([[], ''])
    expect(later.text).toContain('Recovery codes left: 10')
  })

  it('never leads to another server', async () => {
    const { browser } = await signedIn()
    const { text } = await browser.send('GET', `${page}?return_to=//evil.test`)
    expect(text).not.toContain('evil.test')
  })

  it('creates new recovery codes, with a code or the password', async () => {
    const { user, browser, state } = await signedIn()
    const app = await enableTwoFactor(server, user)
    const submit = (fields: Record<string, string>) => browser.submit(page, fields, `${page}/codes`)
    for (const fields of [{}, { 'user[otp_attempt]': app.wrongCode() }, { password: 'x' }]) {
      const refused = await submit(fields as Record<string, string>)
      expect([refused.status, codesOf(refused.text)]).toEqual([422, []])
    }
    const wrong = await submit({ 'user[current_password]': 'not the password' })
    expect(wrong.text).toContain('The password is wrong.')
    const first = codesOf((await submit({ 'user[otp_attempt]': app.nextCode() })).text)
    const second = codesOf((await submit({ 'user[current_password]': user.password })).text)
    expect(new Set([...app.recoveryCodes, ...first, ...second]).size).toBe(30)
    expect(await state()).toEqual({ enabled: true, recovery_codes_left: 10 })
  })

  it('turns it off, with a code or the password', async () => {
    for (const kind of ['otp_attempt', 'current_password']) {
      const { user, browser, state } = await signedIn()
      const app = await enableTwoFactor(server, user)
      const submit = (value: string) =>
        browser.submit(page, { [`user[${kind}]`]: value }, `${page}/disable`)
      expect((await submit('wrong')).status).toBe(422)
      expect(await state()).toMatchObject({ enabled: true })
      const done = await submit(kind === 'otp_attempt' ? app.nextCode() : user.password)
      expect([done.status, done.headers.location]).toEqual([302, page])
      expect(await state()).toMatchObject({ enabled: false })
    }
  })

  it('answers 429 to many wrong codes', async () => {
    const { user, browser } = await signedIn()
    const app = await enableTwoFactor(server, user)
    const submit = (code: string) =>
      browser.submit(page, { 'user[otp_attempt]': code }, `${page}/disable`)
    for (let i = 0; i < 10; i += 1) expect((await submit(app.wrongCode())).status).toBe(422)
    const limited = await submit(app.nextCode())
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  })

  it.each(['', '/codes', '/disable'])('rejects forms of other sites: %s', async (suffix) => {
    const { user, browser, state } = await signedIn()
    const app = await enableTwoFactor(server, user)
    const form = new URLSearchParams({ 'user[otp_attempt]': app.nextCode() })
    const answer = await browser.send('POST', `${page}${suffix}`, form.toString())
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('This form has expired')
    expect(await state()).toEqual({ enabled: true, recovery_codes_left: 10 })
  })
})
