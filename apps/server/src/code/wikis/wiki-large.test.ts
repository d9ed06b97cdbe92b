/**
 * What holds of large wikis: lists of as many pages and bytes as they may have, writes beside them,
 * and folders of more pages do not keep others waiting; the test server fails if one does.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pushedWiki } from '../../testing/git/pushed-wiki.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const call = (method: string, path: string, more: Json = {}) =>
  server.inject(method, path, { token: server.root.token, ...more })

describe('a wiki of 10,000 pages', () => {
  it('is listed with its contents, and written to', async () => {
    const project = await pushedWiki(server, 10_000, 'x'.repeat(500))
    const base = `/projects/${project.id}/wikis`
    const listed = await call('GET', base)
    expect(listed.body).toHaveLength(10_000)
    const full = await call('GET', base, { query: 'with_content=1' })
    expect(full.body.at(-1).content).toHaveLength(500)
    const body = { content: 'new' }
    expect((await call('PUT', `${base}/pages%2Fpage-5000`, { body })).status).toBe(200)
    expect((await call('DELETE', `${base}/pages%2Fpage-1`)).status).toBe(204)
    const post = await call('POST', base, { body: { title: 'pages/PAGE 7', content: 'x' } })
    expect(post.status).toBe(400)
  })
})

describe('a wiki of more pages than are listed', () => {
  it('is read and written to page by page', async () => {
    const project = await pushedWiki(server, 40_000, 'x')
    const base = `/projects/${project.id}/wikis`
    expect((await call('GET', base)).status).toBe(413)
    expect((await call('GET', `${base}/pages%2Fpage-39999`)).body.content).toBe('x')
    expect((await call('GET', `${base}/pages%2Fnone`)).status).toBe(404)
    const taken = { title: 'pages/page 39999', content: 'x' }
    expect((await call('POST', base, { body: taken })).status).toBe(400)
    const free = { title: 'pages/page 40000', content: 'x' }
    expect((await call('POST', base, { body: free })).status).toBe(201)
  })
})
