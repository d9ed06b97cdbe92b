import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chromium, hasChromium, startChromium } from '../src/testing/clients/chromium.ts'
import { createApplication, postForm } from '../src/testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

describe.skipIf(!hasChromium)('a browser with an OAuth2 application', () => {
  let server: TestServer
  let chromium: Chromium
  let application: Server
  let callback: string

  beforeAll(async () => {
    server = await buildTestServer()
    chromium = await startChromium()
    // The application: another origin, which redirects its users once more, to yet another one.
    application = createServer((request, response) => {
      const url = request.url ?? ''
      if (!url.startsWith('/callback')) return response.end('welcome')
      const { port } = application.address() as AddressInfo
      const home = `http://localhost:${port}/home${url.slice('/callback'.length)}`
      return response.writeHead(302, { location: home }).end()
    })
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
    const { port } = application.address() as AddressInfo
    callback = `http://127.0.0.1:${port}/callback`
  })
  afterAll(async () => {
    await chromium?.close()
    application?.close()
    await server?.close()
  })

  it('signs in, consents and returns with a code that PKCE turns into tokens', async () => {
    const user = await server.buildUser()
    const client = await createApplication(server, {
      name: 'Dashboard',
      confidential: false,
      redirect_uri: 'http://127.0.0.1/callback',
    })
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      client_id: client.application_id,
      redirect_uri: callback,
      response_type: 'code',
      state: 'a state & more',
      scope: 'read_user',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const page = await chromium.context.newPage()
    await page.goto(`${await server.url()}/oauth/authorize?${query}`)
    expect(page.url()).toContain('/users/sign_in')
    await page.getByLabel(/username/i).fill(user.username)
    await page.getByLabel(/^password/i).fill(user.password)
    await page.getByRole('button', { name: /sign in/i }).click()

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Allow Dashboard?')
    expect(await page.content()).toContain('read_user')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/localhost:\d+\/home\?/)
    const returned = new URL(page.url()).searchParams
    expect(returned.get('state')).toBe('a state & more')
    const tokens = await postForm(server, 'token', {
      grant_type: 'authorization_code',
      client_id: client.application_id,
      code: returned.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: verifier,
    })
    expect(tokens.status).toBe(200)
    const headers = { authorization: `Bearer ${tokens.body.access_token}` }
    expect((await server.inject('GET', '/user', { headers })).body.id).toBe(user.id)

    await page.goto(`${await server.url()}/oauth/authorize?${query}`)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(/localhost:\d+\/home\?error=access_denied/)
    await page.goto(`${await server.url()}/users/sign_out`)
  })

  it('returns from the sign-in to a trusted application without another question', async () => {
    const user = await server.buildUser()
    const client = await createApplication(server, { trusted: true, redirect_uri: callback })
    const query = new URLSearchParams({
      client_id: client.application_id,
      redirect_uri: callback,
      response_type: 'token',
    })
    const page = await chromium.context.newPage()
    await page.goto(`${await server.url()}/oauth/authorize?${query}`)
    await page.getByLabel(/username/i).fill(user.username)
    await page.getByLabel(/^password/i).fill(user.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.waitForURL(/localhost:\d+\/home#access_token=/)

    await page.goto(`${await server.url()}/oauth/authorize?${query}`)
    await page.waitForURL(/localhost:\d+\/home#access_token=/)
    await page.goto(`${await server.url()}/users/sign_out`)
  })

  it('registers, edits, renews and deletes an application of its user, on a phone', async () => {
    const user = await server.buildUser()
    const base = await server.url()
    const page = await chromium.context.newPage()
    await page.setViewportSize({ width: 360, height: 720 })
    await page.goto(`${base}/oauth/applications`)
    await page.getByLabel(/username/i).fill(user.username)
    await page.getByLabel(/^password/i).fill(user.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    const heading = () => page.getByRole('heading', { level: 1 }).textContent()
    const press = (name: string) => page.getByRole('button', { name }).click()
    const secret = async () => String(await page.locator('#application-secret').textContent())
    const expectFits = async () =>
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)

    expect(await heading()).toBe('Your applications')
    const name = 'x'.repeat(255)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await page.getByLabel('Redirect URIs').fill('/no-uri')
    await page.getByRole('checkbox', { name: /^read_user/ }).check()
    await press('Register the application')
    expect(await page.getByRole('alert').textContent()).toContain('must be an absolute URI.')
    expect(await page.getByLabel('Redirect URIs').getAttribute('aria-invalid')).toBe('true')
    await expectFits()
    await page.getByLabel('Redirect URIs').fill(`${callback}\nhttps://app.test/${name}`)
    await press('Register the application')
    expect(await heading()).toBe(name)
    const first = await secret()
    await expectFits()
    await page.reload()
    expect(await page.content()).not.toContain(first)
    expect(await page.getByLabel('Redirect URIs').inputValue()).toBe(
      `${callback}\nhttps://app.test/${name}`,
    )
    expect(await page.getByRole('checkbox', { name: 'Confidential' }).isChecked()).toBe(true)

    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Dashboard')
    await press('Save')
    expect(await heading()).toBe('Dashboard')
    await press('Renew the secret')
    expect(await secret()).not.toBe(first)
    await page.getByRole('link', { name: 'All your applications' }).click()
    await expectFits()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await press('Delete the application')
    expect(await page.content()).toContain('No applications.')
    await page.goto(`${base}/users/sign_out`)
  })

  it('shows the consent in no frame', async () => {
    const client = await createApplication(server, { redirect_uri: callback })
    const user = await server.buildUser()
    const page = await chromium.context.newPage()
    await page.goto(`${await server.url()}/users/sign_in`)
    await page.getByLabel(/username/i).fill(user.username)
    await page.getByLabel(/^password/i).fill(user.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    const query = new URLSearchParams({ client_id: client.application_id, response_type: 'code' })
    const address = `${await server.url()}/oauth/authorize?${query}`
    await page.setContent(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`)
    await expect.poll(() => page.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/')
  })
})
