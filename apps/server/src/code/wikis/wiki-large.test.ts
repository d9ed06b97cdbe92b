/**
 * What holds of large wikis: lists of as many pages and bytes as they may have, writes beside them,
 * and folders of more pages do not keep others waiting; the test server fails if one does.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gitInput, mustGit, newFolder, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** Pushes pages of a content, as many as asked for, and files that are no pages. */
async function pushedWiki(count: number, content: string): Promise<Json> {
  const project = await server.buildProject()
  const tree = await newFolder()
  await mustGit(tree, 'init', '--quiet', '--bare')
  const blob = `blob\nmark :1\ndata ${Buffer.byteLength(content)}\n${content}\n`
  const head = 'commit refs/heads/master\ncommitter A <a@b.c> 1 +0000\ndata 1\nx\n'
  const files = Array.from({ length: count }, (_, index) => `M 644 :1 pages/page-${index}.md\n`)
  const others = Array.from({ length: 1000 }, (_, index) => `M 644 :1 other/${index}.txt\n`)
  await gitInput(tree, blob + head + files.join('') + others.join(''), 'fast-import', '--quiet')
  const { username, token } = server.root
  const path = `${project.path_with_namespace}.wiki`
  await mustGit(
    tree,
    'push',
    '--quiet',
    remoteUrl(await server.url(), path, username, token),
    'master',
  )
  return project
}

const call = (method: string, path: string, more: Json = {}) =>
  server.inject(method, path, { token: server.root.token, ...more })

describe('a wiki of 10,000 pages', () => {
  it('is listed with its contents, and written to', async () => {
    const project = await pushedWiki(10_000, 'x'.repeat(500))
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
    const project = await pushedWiki(40_000, 'x')
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
