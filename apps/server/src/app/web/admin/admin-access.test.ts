/*
 * The pages below /admin:
 * - are for administrators: visitors sign in first, for other users they do not exist, and neither do
 *   the actions of their forms;
 * - name the current page, escape what users wrote, and cannot be framed;
 * - the overview shows counts, version, tier and disk use.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../../testing/clients/web-browser.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let admin: WebBrowser
let other: WebBrowser
let visitor: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  const user = await server.buildUser({ admin: true, name: 'Ada <b>Admin</b>' })
  admin = await openBrowser(server, user)
  other = await openBrowser(server, await server.buildUser())
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

const pages = [
  '/admin',
  '/admin/users',
  '/admin/groups',
  '/admin/projects',
  '/admin/jobs',
  '/admin/application_settings',
  '/admin/appearance',
  '/admin/broadcast_messages',
  '/admin/hooks',
  '/admin/deploy_keys',
  '/admin/applications',
  '/admin/features',
  '/admin/license',
  '/admin/audit_events',
]

describe('the administration pages', () => {
  it.each(pages)('send visitors to the sign-in: %s', async (path) => {
    const response = await visitor.send(path)
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/users/sign_in?return_to=${encodeURIComponent(path)}`,
    ])
  })

  it.each(pages)('do not exist for other users: %s', async (path) => {
    expect((await other.open(path)).status).toBe(404)
  })

  it.each(pages)('name the current page, escape, and cannot be framed: %s', async (path) => {
    const page = await admin.open(path)
    expect(page.status).toBe(200)
    const current = page.document.querySelector('.side [aria-current=page]')
    expect(current?.getAttribute('href')).toBe(path)
    expect(page.texts('h1')).toHaveLength(1)
    expect(page.text).not.toContain('<b>Admin')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('are linked to for administrators alone', async () => {
    expect((await admin.open('/projects')).text).toContain('href="/admin"')
    expect((await other.open('/projects')).text).not.toContain('href="/admin"')
  })
})

describe('the actions of their forms', () => {
  const actions = [
    '/admin/users',
    '/admin/users/1/block',
    '/admin/users/1/delete',
    '/admin/users/1/impersonation_tokens',
    '/admin/application_settings/pages',
    '/admin/appearance',
    '/admin/broadcast_messages',
    '/admin/hooks',
    '/admin/deploy_keys',
    '/admin/applications',
    '/admin/features',
  ]

  it.each(actions)('do not exist for other users: %s', async (path) => {
    const { csrfToken } = await other.open('/projects')
    const body = new URLSearchParams({ authenticity_token: csrfToken })
    expect((await other.send(path, { method: 'POST', body })).status).toBe(404)
  })

  it.each(actions)('do nothing without the token of the form: %s', async (path) => {
    const body = new URLSearchParams({ authenticity_token: 'wrong' })
    expect((await admin.send(path, { method: 'POST', body })).status).toBe(422)
  })
})

describe('GET /admin', () => {
  it('shows counts, version, tier and disk use', async () => {
    await server.buildProject()
    const page = await admin.open('/admin')
    expect(page.heading).toBe('Administration')
    const rows = page.texts('tr')
    expect(rows).toContain('Projects 1')
    expect(rows.some((row) => /^Version \S+ \(\S+\)$/.test(row))).toBe(true)
    expect(rows).toContain('License ultimate')
    expect(rows.some((row) => /^Free on the disk [\d.,]+ [KMGT]iB of/.test(row))).toBe(true)
    expect((await page.follow('Projects')).status).toBe(200)
  })
})
