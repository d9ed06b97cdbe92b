import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mustGit } from '../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
const large = randomBytes(9 * 1024 * 1024)
  .toString('base64')
  .slice(0, 9 * 1024 * 1024)
const ids: Record<string, string> = {}

beforeAll(async () => {
  server = await buildTestServer()
  const files = { 'a.txt': 'a ü\n', empty: '', zero: 'a\0b', page: '<script></script>', large }
  pushed = await buildPushedProject(server, files)
  for (const name of Object.keys(files)) {
    ids[name] = await mustGit(pushed.tree, 'rev-parse', `HEAD:${name}`)
  }
})
afterAll(() => server.close())

async function get(sha: string | undefined, suffix = '', method = 'GET') {
  const path = `/projects/${pushed.project.id}/repository/blobs/${sha}${suffix}`
  return server.inject(method, path)
}

/** Neither full nor abbreviated ids. */
const bad = [
  'f'.repeat(40),
  'f'.repeat(41),
  'main',
  '-x',
  '--all',
  'abc',
  '%00',
  '..%2F..',
  'HEAD:a',
]

describe('GET /projects/:id/repository/blobs/:sha', () => {
  it('shows size and content', async () => {
    const { status, body } = await get(ids['a.txt'])
    expect(status).toBe(200)
    expect(body).toEqual({
      size: 5,
      encoding: 'base64',
      content: Buffer.from('a ü\n').toString('base64'),
      sha: ids['a.txt'],
    })
    expect((await get(ids['a.txt']?.slice(0, 10).toUpperCase())).body).toEqual(body)
    expect((await get(ids.empty)).body).toMatchObject({ size: 0, content: '' })
  })

  it('writes no line breaks, however large the blob is', async () => {
    const { body } = await get(ids.large)
    expect(Buffer.from(body.content, 'base64').toString()).toBe(large)
    expect(body.content).not.toMatch(/\s/)
  })

  it.each(bad)('returns 404 for %s', async (sha) => {
    for (const suffix of ['', '/raw']) {
      const { status, body } = await get(sha, suffix)
      expect([status, body]).toEqual([404, { message: '404 Blob Not Found' }])
    }
  })

  it('returns 404 for trees and commits', async () => {
    for (const name of ['HEAD', 'HEAD^{tree}']) {
      expect((await get(await mustGit(pushed.tree, 'rev-parse', name))).status).toBe(404)
    }
  })

  it('does not accept a branch as a hash', async () => {
    await mustGit(pushed.tree, 'branch', 'abcd')
    await mustGit(pushed.tree, 'tag', 'beef', ids['a.txt'] ?? '')
    await pushed.push('abcd', 'beef')
    expect((await get('abcd')).status).toBe(404)
    expect((await get('beef')).status).toBe(404)
  })
})

describe('GET /projects/:id/repository/blobs/:sha/raw', () => {
  it('sends the bytes as text or as application/octet-stream', async () => {
    const text = await get(ids['a.txt'], '/raw')
    expect([text.status, text.text]).toEqual([200, 'a ü\n'])
    expect(text.headers['content-type']).toMatch(/^text\/plain/)
    const zero = await get(ids.zero, '/raw')
    expect(zero.bytes).toEqual(Buffer.from('a\0b'))
    expect(zero.headers['content-type']).toBe('application/octet-stream')
  })

  it('prevents browsers from running the content', async () => {
    const { headers } = await get(ids.page, '/raw')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(/sandbox/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('streams large blobs, and sends their length on HEAD', async () => {
    const { text } = await get(ids.large, '/raw')
    expect(text).toBe(large)
    const head = await get(ids.large, '/raw', 'HEAD')
    expect([head.bytes.length, head.headers['content-length']]).toEqual([0, String(large.length)])
  })
})
