/*
 * What the journeys share: each is walked twice, in a browser with JavaScript and in one without, and is
 * watched all the way for errors of the pages and for requests to other servers.
 */
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chromium, hasChromium, startChromium } from '../../src/testing/clients/chromium.ts'
import type { TestUser } from '../../src/testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../src/testing/test-server.ts'

export interface Visit {
  server: TestServer
  page: Page
  /** Whether the browser runs scripts. */
  hasScript: boolean
  /** Opens a path of the server. */
  open: (path: string) => Promise<void>
  /** Signs a user in, in place of the one before. */
  signIn: (user: Pick<TestUser, 'username' | 'password'>) => Promise<void>
  /** Reads from the API, which must answer with success. */
  read: (path: string, user: { token: string }) => Promise<Json>
  button: (name: string) => Locator
  link: (name: string) => Locator
}

const modes = [
  { mode: 'with JavaScript', hasScript: true },
  { mode: 'without JavaScript', hasScript: false },
]

/** Declares a journey through the pages of a new server. */
export function journey(name: string, walk: (visit: Visit) => Promise<void>): void {
  describe.skipIf(!hasChromium)(name, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await buildTestServer()
    })
    afterAll(() => server?.close())

    describe.each(modes)('in a browser $mode', ({ hasScript }) => {
      let chromium: Chromium
      beforeAll(async () => {
        chromium = await startChromium({ javaScriptEnabled: hasScript })
      })
      afterAll(() => chromium?.close())

      it('leads to its end, without errors and without requests to other servers', async () => {
        const base = await server.url()
        const faults = watch(chromium.context, base)
        const page = await chromium.context.newPage()
        await walk(visitOf(server, base, page, hasScript))
        expect(faults).toEqual([])
      })
    })
  })
}

/** Notes errors of scripts, what the console calls an error, such as a broken policy, and requests elsewhere. */
function watch(context: BrowserContext, base: string): string[] {
  const faults: string[] = []
  context.on('console', (message) => {
    // The browser asks for this by itself.
    const isIcon = message.location().url.endsWith('/favicon.ico')
    if (message.type() === 'error' && !isIcon) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  context.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`)) faults.push(`request to ${request.url()}`)
  })
  return faults
}

function visitOf(server: TestServer, base: string, page: Page, hasScript: boolean): Visit {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return {
    server,
    page,
    hasScript,
    button,
    link: (name) => page.getByRole('link', { name, exact: true }),
    async open(path) {
      await page.goto(base + path)
    },
    async signIn({ username, password }) {
      await page.context().clearCookies()
      await page.goto(`${base}/users/sign_in`)
      await page.getByLabel('Username or e-mail address').fill(username)
      await page.getByLabel(/^Password/).fill(password)
      await button('Sign in').click()
      await seen(page.getByRole('heading', { level: 1, name: 'Hello' }))
    },
    async read(path, { token }) {
      const answer = await server.inject('GET', path, { token })
      expect([path, answer.status]).toEqual([path, 200])
      return answer.body
    },
  }
}

/** Waits until something is on the page and visible. */
export function seen(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'visible' })
}
