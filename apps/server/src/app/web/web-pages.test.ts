import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
let browser: WebBrowser
let visitor: WebBrowser
let path: string

beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
  browser = await openBrowser(server, owner)
  visitor = await openBrowser(server)
  const project = await server.buildProject({ name: 'app', visibility: 'private' }, owner)
  path = `/${project.path_with_namespace}`
})
afterAll(() => server.close())

describe('GET of an address', () => {
  it('that does not exist returns a page with 404 to browsers', async () => {
    const page = await visitor.open('/nobody/nothing')
    expect(page).toMatchObject({ status: 404, heading: 'Page not found' })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it('that does not exist returns the error of the API to programs', async () => {
    const response = await visitor.send('/nobody/nothing', { headers: { accept: '*/*' } })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: '404 Not Found' })
  })

  it('with and without a dash shows the same page', async () => {
    const [one, other] = [
      await browser.open(`${path}/-/issues`),
      await browser.open(`${path}/issues`),
    ]
    expect(one.heading).toBe('Issues')
    expect(other.heading).toBe('Issues')
  })

  it('that needs a user sends visitors to sign in, and back', async () => {
    const project = await server.buildProject({ visibility: 'public' }, owner)
    const address = `/${project.path_with_namespace}/-/issues`
    const response = await visitor.send(address)
    expect(response.status).toBe(303)
    const back = encodeURIComponent(address)
    expect(response.headers.get('location')).toBe(`/users/sign_in?return_to=${back}`)
  })

  it('of a private project returns 404 to others, as the API does', async () => {
    const stranger = await openBrowser(server, await server.buildUser())
    expect((await stranger.open(`${path}/-/issues`)).status).toBe(404)
    expect((await visitor.open(`${path}/-/issues`)).status).toBe(404)
  })

  it('is answered with a policy that allows nothing inline, and not kept by shared caches', async () => {
    const { headers } = await browser.open(`${path}/-/issues`)
    expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })
})

describe('GET of a page or asset', () => {
  let addresses: string[]
  beforeAll(async () => {
    const { document } = await browser.open('/projects')
    const style = document.querySelector('link[rel=stylesheet]')?.getAttribute('href')
    addresses = ['/projects', style ?? '']
  })

  it.each([
    ['gzip, deflate', 'gzip'],
    ['br, GZIP;q=0.5', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, zstd;q=0', 'gzip'],
    ['zstd;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0', null],
    ['identity', null],
  ])('with Accept-Encoding %s is encoded as %s', async (accepted, encoding) => {
    for (const address of addresses) {
      const response = await browser.send(address, { headers: { 'accept-encoding': accepted } })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('vary')).toMatch(/Cookie, Accept-Encoding$/)
      expect(await response.text()).toMatch(/<!doctype html>|:root/i)
    }
  })

  it('contains a token that is another text each time, and is accepted', async () => {
    const tokenOf = async () => (await browser.open('/projects')).csrfToken
    const [one, other] = [await tokenOf(), await tokenOf()]
    expect(one).not.toBe(other)
    for (const [token, status] of [
      [one, 200],
      [other, 200],
      [other.slice(2), 401],
    ] as const) {
      const headers = { 'x-csrf-token': token, 'content-type': 'application/json' }
      const body = JSON.stringify({ text: 'x' })
      const init = { method: 'PUT', headers, body }
      expect((await browser.send('/api/v4/user/status', init)).status).toBe(status)
    }
  })
})

describe('a form', () => {
  it('that succeeds leads to what it created', async () => {
    const form = await browser.open(`${path}/-/issues/new`)
    await form.press('Create issue', { title: 'Broken', description: 'Since today' })
    const list = await browser.open(`${path}/-/issues`)
    expect(list.texts('.rows .title')).toEqual(['Broken'])
  })

  it('that is refused is shown again with what was typed', async () => {
    const form = await browser.open(`${path}/-/issues/new`)
    const page = await form.press('Create issue', { title: '', description: 'Since today' })
    expect(page).toMatchObject({ status: 422, heading: 'New issue' })
    expect(page.texts('.summary li')).toEqual(["Title can't be blank."])
    expect(page.document.getElementById('description')?.text.trim()).toBe('Since today')
  })

  it('without the token of the session changes nothing', async () => {
    const body = new URLSearchParams({ title: 'Forged', authenticity_token: 'x' })
    const response = await browser.send(`${path}/-/issues`, { method: 'POST', body })
    expect(response.status).toBe(422)
    const { body: issues } = await server.inject('GET', '/issues?search=Forged&scope=all', {
      token: owner.token,
    })
    expect(issues).toEqual([])
  })

  it('that another site sends without a session leads to the sign-in', async () => {
    const body = new URLSearchParams({ title: 'Late' })
    const headers = { origin: 'https://elsewhere.test' }
    const response = await visitor.send(`${path}/-/issues`, { method: 'POST', body, headers })
    expect(response.headers.get('location')).toBe('/users/sign_in')
  })
})

describe('POST /users/sign_out', () => {
  it('has the browser forget the pages of the user', async () => {
    const own = await openBrowser(server, owner)
    const page = await own.open('/projects')
    const body = new URLSearchParams({ authenticity_token: page.csrfToken })
    const response = await own.send('/users/sign_out', { method: 'POST', body })
    expect(response.headers.get('clear-site-data')).toBe('"cache"')
    expect((await own.open('/projects')).address).toBe('/users/sign_in?return_to=%2Fprojects')
  })
})
