import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCodeLimits } from '../../../platform/config/code-limits.ts'
import { commit, mustGit } from '../../../testing/git/git-client.ts'
import { buildPushedProject, type PushedProject } from '../../../testing/git/repository.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
let pushed: PushedProject
let empty: Json
const oids: Record<string, string> = {}

beforeAll(async () => {
  server = await buildTestServer()
  pushed = await buildPushedProject(server)
  empty = await server.buildProject({ visibility: 'public' })
  const { tree } = pushed
  oids.root = await mustGit(tree, 'rev-parse', 'HEAD')
  await mustGit(tree, 'checkout', '--quiet', '-b', 'topic/x')
  oids.one = await commit(tree, { 'one.txt': '1\n' }, 'One')
  oids.two = await commit(tree, { 'two.txt': '2\n' }, 'Two')
  await mustGit(tree, 'tag', '-a', 'v1', '-m', 'Version 1')
  await mustGit(tree, 'checkout', '--quiet', 'main')
  oids.main = await commit(tree, { 'main.txt': 'm\n' }, 'Main')
  await mustGit(tree, 'checkout', '--quiet', '--orphan', 'alone')
  oids.alone = await commit(tree, { 'alone.txt': 'a\n' }, 'Alone')
  await pushed.push('main', 'topic/x', 'v1', 'alone')
})
afterAll(() => server.close())

async function get(path: string, query: string, id = pushed.project.id) {
  return server.inject('GET', `/projects/${id}/repository/${path}`, { query })
}

const compare = (from: string, to: string, more = '') =>
  get('compare', `from=${from}&to=${to}${more}`)

/** Names that resolve to no commit, some of which git's command line would misread. */
const badRefs = ['none', '-x', '--output=%2Ftmp%2Fx', 'a..b', 'x'.repeat(1000), 'main:README.md']

const paths = (body: Json) => body.diffs.map((entry: Json) => entry.new_path)

describe('GET /projects/:id/repository/compare', () => {
  it('compares with the merge base, oldest commit first', async () => {
    const { status, body } = await compare('main', 'topic/x')
    expect(status).toBe(200)
    expect(body.commits.map((entry: Json) => entry.id)).toEqual([oids.one, oids.two])
    expect(body.commit).toEqual(body.commits[1])
    expect(body.commit).toMatchObject({ title: 'Two', created_at: expect.any(String) })
    expect(body.diffs).toEqual([
      {
        diff: '--- /dev/null\n+++ b/one.txt\n@@ -0,0 +1 @@\n+1\n',
        new_path: 'one.txt',
        old_path: 'one.txt',
        a_mode: '0',
        b_mode: '100644',
        new_file: true,
        renamed_file: false,
        deleted_file: false,
        too_large: false,
        collapsed: false,
      },
      expect.objectContaining({ new_path: 'two.txt' }),
    ])
    expect(body).toMatchObject({ compare_timeout: false, compare_same_ref: false })
  })

  it('compares the two directly with straight', async () => {
    const { body } = await compare('main', 'topic/x', '&straight=true')
    expect(paths(body)).toEqual(['main.txt', 'one.txt', 'two.txt'])
    expect(body.diffs[0]).toMatchObject({ deleted_file: true, b_mode: '0' })
    expect(body.commits).toHaveLength(2)
    expect(paths((await compare('main', 'topic/x', '&straight=false')).body)).toHaveLength(2)
  })

  it('accepts tags and hashes', async () => {
    expect((await compare(oids.one?.slice(0, 9) ?? '', 'v1')).body.commits).toHaveLength(1)
  })

  it('is empty for equal refs, and backwards', async () => {
    const same = (await compare('topic/x', 'v1')).body
    expect(same).toEqual({
      commit: null,
      commits: [],
      diffs: [],
      compare_timeout: false,
      compare_same_ref: true,
    })
    const back = (await compare('topic/x', oids.root ?? '')).body
    expect(back).toMatchObject({ commit: null, commits: [], diffs: [], compare_same_ref: false })
  })

  it('compares unrelated histories directly', async () => {
    const { body } = await compare(oids.root ?? '', 'alone')
    expect(body.commits.map((entry: Json) => entry.title)).toEqual(['Alone'])
    expect(paths(body)).toContain('alone.txt')
  })

  it('requires both refs', async () => {
    expect((await get('compare', 'from=main')).body).toEqual({ error: 'to is missing' })
    expect((await get('compare', 'from=&to=main')).status).toBe(400)
    expect((await compare('main', 'topic/x', '&straight=maybe')).status).toBe(400)
    expect((await compare('main', '%00')).status).toBe(400)
  })

  it.each(badRefs)('returns 404 for the ref %s', async (ref) => {
    for (const [from, to] of [
      [ref, 'main'],
      ['main', ref],
    ] as const) {
      const { status, body } = await compare(from, to)
      expect([status, body]).toEqual([404, { message: '404 Ref Not Found' }])
    }
  })

  it('returns 404 in an empty repository, and for a tree', async () => {
    expect((await get('compare', 'from=main&to=main', empty.id)).status).toBe(404)
    const hash = await mustGit(pushed.tree, 'rev-parse', 'main^{tree}')
    expect((await compare(hash, 'main')).status).toBe(404)
  })

  it('sets compare_timeout when the result is truncated', async () => {
    const { compare: bounds, diff } = defaultCodeLimits
    const cut = async (limits: object) => {
      server.app.config.codeLimits = { ...defaultCodeLimits, ...limits }
      const { body } = await compare('main', 'topic/x')
      server.app.config.codeLimits = defaultCodeLimits
      return body
    }
    const files = await cut({ compare: { ...bounds, maxFiles: 1 } })
    expect([files.compare_timeout, paths(files)]).toEqual([true, ['one.txt']])
    const commits = await cut({ compare: { ...bounds, maxCommits: 1 } })
    expect(commits.compare_timeout).toBe(true)
    expect(commits.commits.map((entry: Json) => entry.title)).toEqual(['Two'])
    const bytes = await cut({ diff: { ...diff, maxTotalBytes: 70 } })
    expect(bytes.compare_timeout).toBe(true)
    expect(bytes.diffs.map((entry: Json) => entry.collapsed)).toEqual([false, true])
    const slow = await cut({ diff: { ...diff, timeoutMs: 0.5 } })
    expect([slow.compare_timeout, slow.commits.length]).toEqual([true, 2])
    const large = await cut({ diff: { ...diff, maxFileBytes: 10 } })
    expect(large.diffs[0]).toMatchObject({ diff: '', too_large: true, collapsed: false })
  })
})

describe('GET /projects/:id/repository/merge_base', () => {
  const base = (...refs: string[]) =>
    get('merge_base', refs.map((ref) => `refs[]=${ref}`).join('&'))

  it('shows the common ancestor of two or more refs', async () => {
    const { status, body } = await base('main', 'topic/x')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: oids.root, title: 'Initial commit', parent_ids: [] })
    expect((await base('v1', oids.one ?? '')).body.id).toBe(oids.one)
    expect((await base('v1', 'topic/x', 'main')).body.id).toBe(oids.root)
    expect((await base('main', 'main')).body.id).toBe(oids.main)
  })

  it('returns 404 without a common ancestor', async () => {
    const { status, body } = await base('main', 'alone')
    expect([status, body]).toEqual([404, { message: '404 Merge Base Not Found' }])
  })

  it('returns 400 for fewer than two refs', async () => {
    expect((await get('merge_base', '')).body).toEqual({ error: 'refs is missing' })
    for (const query of ['refs[]=main', 'refs=', 'refs[]=']) {
      const { status, body } = await get('merge_base', query)
      expect([status, body]).toEqual([400, { message: 'Provide at least 2 refs' }])
    }
  })

  it.each(badRefs)('returns 400 and names the ref %s', async (ref) => {
    const { status, body } = await base('main', ref, 'topic/x')
    expect([status, body]).toEqual([
      400,
      { message: `Could not find ref: ${decodeURIComponent(ref)}` },
    ])
  })
})
