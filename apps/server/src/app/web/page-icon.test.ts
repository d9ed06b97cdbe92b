import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let visitor: WebBrowser

beforeAll(async () => {
  server = await buildTestServer()
  visitor = await openBrowser(server)
})
afterAll(() => server.close())

describe('the icon of the pages', () => {
  it.each(['/explore', '/users/sign_in', '/nobody/nothing'])(
    'is named by every page, kept for long, and has light and dark colours: %s',
    async (address) => {
      const page = await visitor.open(address)
      const icon = page.document.querySelector('link[rel=icon]')?.getAttribute('href') ?? ''
      const answer = await visitor.send(icon)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/svg+xml')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(await answer.text()).toMatch(/^<svg xmlns=.*prefers-color-scheme:dark/)
      // Icons are pictures to the policy.
      expect(page.headers.get('content-security-policy')).toContain("img-src 'self'")
    },
  )

  it('is found at /favicon.ico, where browsers look for it without a page', async () => {
    const page = await visitor.open('/explore')
    const icon = page.document.querySelector('link[rel=icon]')?.getAttribute('href')
    for (const accept of ['text/html', 'image/avif,*/*;q=0.8']) {
      const answer = await visitor.send('/favicon.ico', { headers: { accept } })
      expect([answer.status, answer.headers.get('location')]).toEqual([302, icon])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    }
  })

  it('is the one that administrators have chosen instead', async () => {
    const form = new FormData()
    form.append('favicon', new File([picture], 'favicon.png', { type: 'image/png' }))
    const url = `${await server.url()}/api/v4/application/appearance`
    const headers = { 'private-token': server.root.token }
    const { favicon } = (await (
      await fetch(url, { method: 'PUT', headers, body: form })
    ).json()) as { favicon: string }
    expect(favicon).toMatch(/favicon\.png$/)
    const page = await visitor.open('/explore')
    const icons = page.document.querySelectorAll('link[rel=icon]')
    expect(icons.map((icon) => icon.getAttribute('href'))).toEqual([favicon])
    const answer = await visitor.send('/favicon.ico')
    expect(answer.headers.get('location')).toBe(favicon)
  })
})

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
