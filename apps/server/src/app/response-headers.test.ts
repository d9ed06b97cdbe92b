import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
})
afterAll(() => server.close())

describe('GET /projects/:id', () => {
  it.each([200, 304])('is kept by no shared cache: %i', async (status) => {
    const { token } = server.root
    const path = `/projects/${project.id}`
    const { etag = '' } = (await server.inject('GET', path, { token })).headers
    const headers = { 'if-none-match': status === 304 ? etag : '"other"' }
    const answer = await server.inject('GET', path, { token, headers })
    expect(answer.status).toBe(status)
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    const vary = answer.headers.vary?.toLowerCase().split(', ')
    expect(vary).toEqual(expect.arrayContaining(['private-token', 'authorization', 'cookie']))
  })

  it.each(['GET', 'HEAD'])('has no length at a 304, also of a %s', async (method) => {
    const { token } = server.root
    const path = `/projects/${project.id}`
    const { etag = '' } = (await server.inject('GET', path, { token })).headers
    const headers = { 'if-none-match': etag }
    const answer = await server.inject(method, path, { token, headers })
    expect([answer.status, answer.headers['content-length']]).toEqual([304, undefined])
  })
})

describe('GET /-/api/', () => {
  it('runs its own scripts only, and connects to this server only', async () => {
    const page = await server.inject('GET', '//-/api/')
    expect(page.status).toBe(200)
    const policy = page.headers['content-security-policy']?.split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    const scripts = [...page.text.matchAll(/<script type="text\/javascript">(.*?)<\/script>/gs)]
    const hashes = scripts.map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)
    expect(hashes).toHaveLength(1)
    expect(policy).toContain(`script-src 'self' ${hashes.join(' ')}`)
  })

  it('names its language, and has a heading', async () => {
    const { text } = await server.inject('GET', '//-/api/')
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('<h1>Stithy REST API</h1>')
  })

  it('offers no service of its vendor', async () => {
    const { text } = await server.inject('GET', '//-/api/')
    const [, configuration = '{}'] =
      /createApiReference\('#app', (\{.*?\})\)\s*<\/script>/s.exec(text) ?? []
    expect(JSON.parse(configuration)).toMatchObject({
      agent: { disabled: true },
      mcp: { disabled: true },
      telemetry: false,
      showDeveloperTools: 'never',
      withDefaultFonts: false,
    })
  })
})
