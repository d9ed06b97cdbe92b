/*
 * Requests that no page takes, as browsers and as programs make them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type WebBrowser } from '../../testing/clients/web-browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let browser: WebBrowser
let project: string

beforeAll(async () => {
  server = await buildTestServer()
  project = `/${(await server.buildProject({ visibility: 'public' })).path_with_namespace}`
  browser = await openBrowser(server, await server.buildUser())
})
afterAll(() => server.close())

async function typeOf(address: string, method: string, accept = 'text/html') {
  const response = await browser.send(address, { method, headers: { accept } })
  const [type] = (response.headers.get('content-type') ?? '').split(';')
  return { status: response.status, type, text: await response.text() }
}

describe('a request that no page takes', () => {
  it.each(['PUT', 'DELETE', 'OPTIONS'])('%s says in words what is wrong', async (method) => {
    for (const address of [project, `${project}/-/issues/1`, '/', '/users/sign_in']) {
      const { status, type, text } = await typeOf(address, method)
      expect([address, status, type]).toEqual([address, 405, 'text/html'])
      expect(text).toContain('does not take requests of this kind')
    }
    const { status, type, text } = await typeOf('/nope/nope', method)
    expect([status, type]).toEqual([404, 'text/html'])
    expect(text).toContain('Page not found')
  })

  it('is answered with JSON for programs, and everywhere below /api/', async () => {
    for (const [address, accept] of [
      [`${project}/-/issues/1`, '*/*'],
      ['/nope/nope', 'application/json'],
      ['/api/v4/version', 'text/html'],
      ['/api/v4/nothing', 'text/html'],
    ] as const) {
      const { type } = await typeOf(address, 'PUT', accept)
      expect([address, type]).toEqual([address, 'application/json'])
    }
  })

  it('says of a form that arrives broken that it could not be read', async () => {
    const { csrfToken } = await browser.open('/projects')
    const response = await browser.send('/snippets', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: `--x\r\nContent-Disposition: form-data; name="authenticity_token"\r\n\r\n${csrfToken}`,
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('The multipart body could not be read.')
  })
})
