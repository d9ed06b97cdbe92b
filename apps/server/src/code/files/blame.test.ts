import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../platform/config/code-limits.ts'
import { commit } from '../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let first: string
let second: string

beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
  const { tree } = pushed
  await mkdir(join(tree, 'src'))
  first = await commit(tree, { 'src/a b.txt': 'one\ntwo\nthree\n', '-x': 'x\n' }, 'First')
  second = await commit(tree, { 'src/a b.txt': 'one\nTWO\nthree\n', empty: '' }, 'Second\n\nBody')
  await pushed.push()
})
afterAll(() => server.close())

async function get(path: string, query = 'ref=main', method = 'GET', id = pushed.project.id) {
  const url = `/projects/${id}/repository/files/${path}/blame`
  return server.inject(method, url, { query })
}

describe('GET /projects/:id/repository/files/:file_path/blame', () => {
  it('lists ranges in the order of the lines', async () => {
    const { status, body, headers } = await get('src%2Fa%20b.txt')
    expect(status).toBe(200)
    expect(body.map((range: Json) => [range.commit.id, range.lines])).toEqual([
      [first, ['one']],
      [second, ['TWO']],
      [first, ['three']],
    ])
    expect(body[1].commit).toEqual({
      id: second,
      message: 'Second\n\nBody\n',
      parent_ids: [first],
      authored_date: expect.stringMatching(/^\d{4}-.*T/),
      author_name: 'Ada',
      author_email: 'ada@example.com',
      committed_date: expect.stringMatching(/^\d{4}-.*T/),
      committer_name: 'Ada',
      committer_email: 'ada@example.com',
    })
    expect(headers['x-gitlab-file-path']).toBe('src/a b.txt')
    expect(headers['x-stithy-last-commit-id']).toBe(second)
  })

  it('accepts a hash as ref, and any file name', async () => {
    expect((await get('src%2Fa%20b.txt', `ref=${first}`)).body).toHaveLength(1)
    expect((await get('-x')).body[0].lines).toEqual(['x'])
    expect((await get('empty')).body).toEqual([])
  })

  it('responds to HEAD with the headers of the file', async () => {
    const { status, text, headers } = await get('src%2Fa%20b.txt', 'ref=main', 'HEAD')
    expect([status, text]).toEqual([200, ''])
    expect(headers).toMatchObject({
      'x-gitlab-file-name': 'a b.txt',
      'x-gitlab-size': '14',
      'x-gitlab-encoding': 'base64',
      'x-gitlab-content-sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
      'x-gitlab-ref': 'main',
      'x-gitlab-blob-id': expect.stringMatching(/^[0-9a-f]{40}$/),
      'x-gitlab-commit-id': second,
      'x-gitlab-last-commit-id': second,
    })
  })

  it('requires a ref', async () => {
    expect((await get('-x', '')).body).toEqual({ error: 'ref is missing' })
  })

  it.each(['none', '-x', '--all', 'a..b'])('returns 404 for the ref %s', async (ref) => {
    const { status, body } = await get('README.md', `ref=${ref}`)
    expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }])
  })

  it.each(['none', 'src', '..%2Fx', '%2Fetc%2Fpasswd', '%00', '--contents=x'])(
    'returns 404 for the path %s',
    async (path) => {
      const { status, body } = await get(path)
      expect([status, body]).toEqual([404, { message: '404 File Not Found' }])
    },
  )

  it('returns 413 for too much output, and 422 for too long a run', async () => {
    const tip = await commit(pushed.tree, { long: 'line\n'.repeat(5000) }, 'Long')
    await pushed.push()
    const limited = async (limits: object) => {
      const blame = { ...defaultCodeLimits.blame, ...limits }
      server.app.config.codeLimits = { ...defaultCodeLimits, blame }
      const { status, body } = await get('long', `ref=${tip}`)
      server.app.config.codeLimits = defaultCodeLimits
      return [status, body.message]
    }
    expect(await limited({ maxOutputBytes: 5000 })).toEqual([
      413,
      expect.stringMatching(/ too large/),
    ])
    expect(await limited({ timeoutMs: 0.5 })).toEqual([422, expect.stringMatching(/ too long/)])
  })

  it('accepts tokens with read_repository', async () => {
    const token = await server.buildToken(server.root.id, ['read_repository'])
    const url = `/projects/${pushed.project.id}/repository/files/-x/blame`
    expect((await server.inject('GET', url, { token, query: 'ref=main' })).status).toBe(200)
  })
})
