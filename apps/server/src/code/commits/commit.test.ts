import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { holdGit } from '../../testing/git/hold-git.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let empty: Json
let tree: string
const oids: string[] = []

const hex = /^[0-9a-f]{40}$/

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ visibility: 'public' })
  empty = await server.buildProject({ visibility: 'public' })
  tree = await buildWorkTree()
  oids.push(await mustGit(tree, 'rev-parse', 'HEAD'))
  oids.push(await commit(tree, { 'a.txt': 'one\ntwo\n' }, 'Add a'))
  await mustGit(tree, 'tag', '-a', 'v1', '-m', 'Version 1')
  oids.push(await commit(tree, { 'a.txt': 'one\n2\nthree\n' }, 'Change a\n\nBody'))
  await mustGit(tree, 'checkout', '--quiet', '-b', 'topic/x', 'HEAD~1')
  oids.push(await commit(tree, { 'b.txt': 'b\n' }, 'Add b'))
  const base = await server.url()
  const { username, token } = server.root
  const remote = remoteUrl(base, project.path_with_namespace, username, token)
  await mustGit(tree, 'push', remote, 'main', 'topic/x', 'v1')
})
afterAll(() => server.close())

async function get(path: string, query = '', id = project.id) {
  return server.inject('GET', `/projects/${id}/repository/commits${path}`, { query })
}

async function titles(query: string): Promise<string[]> {
  const answer = await get('', query)
  expect(answer.status).toBe(200)
  return answer.body.map((entry: Json) => entry.title)
}

/** Names that do not resolve, some of which git's command line would misread. */
const badRefs = [
  'none',
  '-x',
  '--all',
  'a..b',
  '%00',
  'x'.repeat(1000),
  '..%2F..',
  'main%0Ax',
  'HEAD%7B',
]

describe('GET /projects/:id/repository/commits', () => {
  it('lists the default branch, newest first', async () => {
    const { body, headers } = await get('')
    expect(body.map((entry: Json) => entry.id)).toEqual([oids[2], oids[1], oids[0]])
    expect(body[0]).toEqual({
      id: oids[2],
      short_id: oids[2]?.slice(0, 8),
      title: 'Change a',
      message: 'Change a\n\nBody\n',
      parent_ids: [oids[1]],
      author_name: 'Ada',
      author_email: 'ada@example.com',
      authored_date: expect.stringMatching(/^\d{4}-.*T.*\.000(\+00:00|Z)$/),
      committer_name: 'Ada',
      committer_email: 'ada@example.com',
      committed_date: body[0].created_at,
      created_at: expect.any(String),
    })
    expect(headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '1', 'x-per-page': '20' })
  })

  it('paginates', async () => {
    expect(await titles('per_page=1&page=2')).toEqual(['Add a'])
    expect(await titles('per_page=1&page=4')).toEqual([])
    expect(await titles('page=999999999')).toEqual([])
  })

  it('answers without totals while a long history is counted, and with them afterwards', async () => {
    const letCount = holdGit(server, '--count')
    const { id } = project
    const list = (query: string) =>
      server.inject('GET', `/projects/${id}/repository/commits`, { query })
    const query = 'ref_name=main&per_page=1&until=2100-01-01'
    const first = await list(query)
    expect(first.headers).toMatchObject({ 'x-next-page': '2', 'x-page': '1' })
    expect(first.headers['x-total']).toBeUndefined()
    expect(first.headers['x-total-pages']).toBeUndefined()
    letCount()
    await expect.poll(async () => (await list(query)).headers['x-total']).toBe('3')
  })

  it('accepts a branch, a tag, a hash and a path', async () => {
    expect(await titles('ref_name=topic/x')).toEqual(['Add b', 'Add a', 'Initial commit'])
    expect(await titles('ref_name=v1')).toEqual(['Add a', 'Initial commit'])
    expect(await titles(`ref_name=${oids[0]}`)).toEqual(['Initial commit'])
    expect(await titles('path=a.txt')).toEqual(['Change a', 'Add a'])
    expect(await titles('path=/a.txt')).toEqual(['Change a', 'Add a'])
    expect(await titles('path=none.txt')).toEqual([])
    expect(await titles('path=../a.txt')).toEqual([])
    expect(await titles('path=*.txt')).toEqual([])
  })

  it('lists every branch with all', async () => {
    expect((await titles('all=true')).toSorted()).toEqual([
      'Add a',
      'Add b',
      'Change a',
      'Initial commit',
    ])
  })

  it('respects since and until', async () => {
    expect(await titles('since=2000-01-01T00:00:00Z')).toHaveLength(3)
    expect(await titles('until=2000-01-01T00:00:00Z')).toHaveLength(0)
    expect(await titles('since=2999-01-01T00:00:00Z')).toHaveLength(0)
    expect(await titles('until=9999-12-31T23:59:59Z')).toHaveLength(3)
    expect((await get('', 'since=yesterday')).status).toBe(400)
  })

  it('adds stats on request', async () => {
    const { body } = await get('', 'with_stats=true')
    expect(body[0].stats).toEqual({ additions: 2, deletions: 1, total: 3 })
    expect(body[2].stats).toEqual({ additions: 1, deletions: 0, total: 1 })
  })

  it('is empty for unknown refs and an empty repository', async () => {
    for (const ref of badRefs.filter((name) => name !== '%00')) {
      expect(await titles(`ref_name=${ref}`)).toEqual([])
    }
    expect((await get('', 'ref_name=%00')).status).toBe(400)
    for (const query of ['', 'all=true', 'ref_name=main', 'with_stats=true', 'path=x']) {
      const { status, body, headers } = await get('', query, empty.id)
      expect([status, body, headers['x-total']]).toEqual([200, [], '0'])
    }
  })

  it('starts no git process for repeated requests', async () => {
    const calls = ['', '/main', '/main/refs']
    for (const path of calls) await get(path)
    const before = server.app.git.spawnCount
    for (const path of calls) expect((await get(path)).status).toBe(200)
    expect(server.app.git.spawnCount).toBe(before)
  })

  it('returns 404 when the code is hidden', async () => {
    const hidden = await server.buildProject()
    expect((await get('', '', hidden.id)).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${hidden.id}`, guest.id, 10)
    const path = `/projects/${hidden.id}/repository/commits`
    expect((await server.inject('GET', path, { token: guest.token })).status).toBe(403)
  })
})

describe('GET /projects/:id/repository/commits/:sha', () => {
  it('shows a commit by hash, short hash, branch and tag', async () => {
    for (const sha of [oids[1], oids[1]?.slice(0, 8), 'v1']) {
      expect((await get(`/${sha}`)).body.id).toBe(oids[1])
    }
    expect((await get('/topic%2Fx')).body.id).toBe(oids[3])
    expect((await get('/main')).body).toMatchObject({
      id: expect.stringMatching(hex),
      stats: { additions: 2, deletions: 1, total: 3 },
      status: null,
      last_pipeline: null,
      project_id: project.id,
    })
  })

  it('omits stats with stats=false', async () => {
    expect((await get('/main', 'stats=false')).body).not.toHaveProperty('stats')
  })

  it.each(badRefs)('returns 404 for %s', async (ref) => {
    for (const part of ['', '/diff', '/refs']) {
      const answer = await get(`/${encodeURIComponent(decodeURIComponent(ref))}${part}`)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: '404 Commit Not Found' })
    }
  })

  it('returns 404 in an empty repository, and for other objects than commits', async () => {
    expect((await get('/master', '', empty.id)).status).toBe(404)
    const blob = await mustGit(tree, 'rev-parse', 'HEAD:b.txt')
    expect((await get(`/${blob}`)).status).toBe(404)
  })
})

describe('GET /projects/:id/repository/commits/:sha/diff', () => {
  it('lists the changed files', async () => {
    const { body, headers } = await get('/main/diff')
    expect(body).toEqual([
      {
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three\n',
        new_path: 'a.txt',
        old_path: 'a.txt',
        a_mode: '100644',
        b_mode: '100644',
        new_file: false,
        renamed_file: false,
        deleted_file: false,
        too_large: false,
        collapsed: false,
      },
    ])
    expect(headers['x-total']).toBe('1')
  })

  it('shows all files of a root commit', async () => {
    const { body } = await get(`/${oids[0]}/diff`)
    expect(body).toMatchObject([{ new_path: 'README.md', new_file: true, b_mode: '100644' }])
  })
})

describe('GET /projects/:id/repository/commits/:sha/refs', () => {
  it('lists branches, then tags, that contain the commit', async () => {
    const { body } = await get(`/${oids[1]}/refs`)
    expect(body).toEqual([
      { type: 'branch', name: 'main' },
      { type: 'branch', name: 'topic/x' },
      { type: 'tag', name: 'v1' },
    ])
    expect((await get(`/${oids[1]}/refs`, 'type=tag')).body).toEqual([{ type: 'tag', name: 'v1' }])
    expect((await get(`/${oids[2]}/refs`, 'type=branch')).body).toHaveLength(1)
    expect((await get(`/${oids[1]}/refs`, 'per_page=1&page=2')).body).toHaveLength(1)
    expect((await get(`/${oids[1]}/refs`, 'type=note')).status).toBe(400)
  })
})
