/*
 * The administration pages in a real browser, without JavaScript. With STITHY_SCREENSHOTS set to
 * a folder, it also takes the pictures of docs/administration.md.
 */
import { join } from 'node:path'
import { saveJobSample } from '@stithy/store'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chromium, hasChromium, startChromium } from '../src/testing/clients/chromium.ts'
import type { TestUser } from '../src/testing/factories.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

const folder = process.env.STITHY_SCREENSHOTS

/** All areas, as the links to them are called. */
const tabs = [
  'Overview',
  'Users',
  'Groups',
  'Projects',
  'Jobs',
  'Settings',
  'Appearance',
  'Messages',
  'System hooks',
  'Deploy keys',
  'Applications',
  'Features',
  'License',
  'Audit log',
]

describe.skipIf(!hasChromium)('the administration pages in a browser', () => {
  let server: TestServer
  let chromium: Chromium
  let base: string
  let admin: TestUser
  let page: Page
  const messages: string[] = []

  beforeAll(async () => {
    server = await buildTestServer()
    base = await server.url()
    chromium = await startChromium()
    admin = await server.buildUser({ admin: true, name: 'Sam Admin', username: 'sam' })
    for (const name of ['Kim Reader', 'Robin Writer', 'Toni Keeper']) {
      const user = await server.buildUser({ name, username: name.split(' ')[0]?.toLowerCase() })
      await server.buildProject({ name: `Notes of ${name}` }, user)
    }
    await buildBacklog(server)
    page = await chromium.context.newPage()
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    await page.setViewportSize({ width: 1000, height: 720 })
    await page.goto(`${base}/admin`)
    await page.getByLabel(/username/i).fill(admin.username)
    await page.getByLabel(/^password/i).fill(admin.password)
    await page.getByRole('button', { name: /sign in/i }).click()
  })
  beforeEach(() => {
    messages.length = 0
  })
  afterAll(async () => {
    await chromium?.close()
    await server?.close()
  })

  /** Follows the link in the navigation of the area. */
  async function open(tab: string): Promise<void> {
    const links = page.getByRole('navigation', { name: 'Administration' })
    await links.getByRole('link', { name: tab, exact: true }).click()
    const heading = tab === 'Overview' ? 'Administration' : tab
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading)
  }

  async function screenshot(name: string): Promise<void> {
    if (folder !== undefined) await page.screenshot({ path: join(folder, `admin-${name}.png`) })
  }

  it('lead from the sign-in to the overview', async () => {
    expect(new URL(page.url()).pathname).toBe('/admin')
    const row = page.getByRole('row').filter({ hasText: 'Projects' }).first()
    expect(await row.textContent()).toMatch(/Projects\s*3/)
    await screenshot('overview')
  })

  it('find, block and unblock a user', async () => {
    await open('Users')
    await screenshot('users')
    await page.getByLabel('Name, username or e-mail address').fill('robin')
    await page.getByRole('button', { name: 'Apply' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Robin Writer' })
    expect(await page.getByRole('row').count()).toBe(2)
    await row.getByRole('button', { name: 'Block Robin Writer' }).click()
    expect(await stateOf('robin')).toBe('blocked')
    await page.goto(`${base}/admin/users?search=robin`)
    await row.getByRole('button', { name: 'Unblock Robin Writer' }).click()
    expect(await stateOf('robin')).toBe('active')
  })

  async function stateOf(username: string): Promise<unknown> {
    const { token } = server.root
    const { body } = await server.inject('GET', `/users?username=${username}`, { token })
    return body[0].state
  }

  it('list projects', async () => {
    await open('Projects')
    expect(await page.getByRole('row').filter({ hasText: 'notes-of-' }).count()).toBe(3)
    await screenshot('projects')
  })

  it('draw the backlog of the jobs', async () => {
    await open('Jobs')
    for (const name of ['Due jobs, at most 61', 'Longest wait, at most 122 s']) {
      const plot = page.getByRole('img', { name })
      const box = await plot.locator('.area').first().boundingBox()
      expect(box?.width).toBeGreaterThan(300)
      expect(box?.height).toBeGreaterThan(50)
    }
    expect(await page.getByRole('row').filter({ hasText: 'webhook-retries' }).count()).toBe(1)
    await screenshot('jobs')
  })

  it('change a setting', async () => {
    await open('Settings')
    await screenshot('settings')
    const field = page.getByLabel('home_page_url')
    await field.fill('https://example.com/welcome')
    await field.press('Enter')
    const { token } = server.root
    const { body } = await server.inject('GET', '/application/settings', { token })
    expect(body.home_page_url).toBe('https://example.com/welcome')
    await page.goto(`${base}/admin/application_settings`)
    expect(await field.inputValue()).toBe('https://example.com/welcome')
  })

  it('show who did it in the audit log', async () => {
    await open('Audit log')
    const row = page.getByRole('row').filter({ hasText: 'home_page_url' })
    expect(await row.textContent()).toContain('Sam Admin')
    await screenshot('audit-log')
  })

  it('are as wide as a phone', async () => {
    await page.setViewportSize({ width: 360, height: 720 })
    for (const tab of tabs) {
      await open(tab)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect([tab, width]).toEqual([tab, 360])
    }
  })

  it('break nothing of their content security policy', async () => {
    for (const tab of tabs) await open(tab)
    expect(messages).toEqual([])
  })
})

/** A day whose afternoon was busy. */
async function buildBacklog({ app }: TestServer): Promise<void> {
  const now = Math.floor(app.now() / 60_000)
  for (let ago = 0; ago < 24 * 60; ago += 1) {
    const wave = Math.max(0, Math.sin(ago / 90) + Math.sin(ago / 37) / 2)
    const backlog = ago === 300 ? 61 : Math.round(wave * 30)
    await saveJobSample(app.db, { minute: now - ago, backlog, latency: backlog * 2000 })
  }
}
