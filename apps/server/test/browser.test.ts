import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chromium, hasChromium, startChromium } from '../src/testing/clients/chromium.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'
import { totpAt, wrongTotpAt } from '../src/testing/two-factor.ts'

describe.skipIf(!hasChromium)('a browser', () => {
  let server: TestServer
  let chromium: Chromium
  beforeAll(async () => {
    server = await buildTestServer()
    chromium = await startChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await server?.close()
  })

  it('signs in, creates a token that works, revokes it and signs out', async () => {
    const user = await server.buildUser({ name: 'Grace <b>H</b>' })
    const page = await chromium.context.newPage()
    const base = await server.url()
    await page.goto(`${base}/-/profile/personal_access_tokens`)
    expect(page.url()).toContain('/users/sign_in')

    await page.getByLabel(/username/i).fill(user.username)
    await page.getByLabel(/^password/i).fill('not the password')
    await page.getByRole('button', { name: /sign in/i }).click()
    expect(await page.content()).toMatch(/invalid/i)

    await page.getByLabel(/username/i).fill(user.username)
    await page.getByLabel(/^password/i).fill(user.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.goto(`${base}/-/profile/personal_access_tokens`)
    expect(await page.content()).not.toContain('<b>H</b>')

    await page.getByLabel(/name/i).first().fill('from the browser')
    await page.getByRole('checkbox', { name: /^api/ }).check()
    await page.getByRole('button', { name: /create/i }).click()
    const token = await page.locator('code, input[readonly]').first().textContent()
    expect(token).toMatch(/^[\w-]{20,}$/)
    const mine = await server.inject('GET', '/user', { token: String(token) })
    expect(mine.body).toMatchObject({ username: user.username })

    await page.goto(`${base}/-/profile/personal_access_tokens`)
    expect(await page.content()).not.toContain(String(token))
    await page
      .getByRole('button', { name: /revoke/i })
      .last()
      .click()
    expect((await server.inject('GET', '/user', { token: String(token) })).status).toBe(401)

    await page.getByLabel(/^Account of/).click()
    await page.getByRole('button', { name: /sign out/i }).click()
    await page.goto(`${base}/-/profile/personal_access_tokens`)
    expect(page.url()).toContain('/users/sign_in')
  })

  it('signs in with two-factor authentication: wrong code, code, recovery code', async () => {
    const user = await server.buildUser()
    const page = await chromium.context.newPage()
    const base = await server.url()
    const signIn = async () => {
      await page.goto(`${base}/users/sign_in`)
      await page.getByLabel(/username/i).fill(user.username)
      await page.getByLabel(/^password/i).fill(user.password)
      await page.getByRole('button', { name: /sign in/i }).click()
    }
    const enterCode = async (code: string) => {
      await page.getByLabel(/^code/i).fill(code)
      await page.getByRole('button', { name: /two-factor|verify/i }).click()
    }
    const signOut = async () => {
      await page.getByLabel(/^Account of/).click()
      await page.getByRole('button', { name: /sign out/i }).click()
    }
    const heading = () => page.getByRole('heading', { level: 1 }).textContent()

    await signIn()
    await page.goto(`${base}/-/profile/two_factor_auth`)
    const secret = String(await page.locator('#two-factor-secret').textContent())
    await enterCode(totpAt(secret, server.app.now()))
    const codes = await page.locator('#recovery-codes code').allTextContents()
    expect(codes).toHaveLength(10)
    await page.getByRole('link', { name: /continue/i }).click()
    expect(await heading()).toContain(user.name)
    await signOut()

    await signIn()
    expect(await heading()).toBe('Two-factor authentication')
    await enterCode(wrongTotpAt(secret, server.app.now()))
    expect(await page.getByRole('alert').textContent()).toContain('The code is wrong')
    server.advance(30_000)
    await enterCode(totpAt(secret, server.app.now()))
    expect(await heading()).toContain(user.name)
    await signOut()

    await signIn()
    await enterCode(String(codes[0]))
    expect(await heading()).toContain(user.name)
    await signOut()

    await signIn()
    await enterCode(String(codes[0]))
    expect(await page.getByRole('alert').textContent()).toContain('The code is wrong')
    await page.goto(base)
    expect(page.url()).toContain('/users/sign_in')
  })
})
