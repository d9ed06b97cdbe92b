import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let empty: Json
let tree: string

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ visibility: 'public' })
  empty = await server.buildProject({ visibility: 'public' })
  tree = await buildWorkTree()
  await mkdir(join(tree, 'src', 'deep'), { recursive: true })
  await commit(tree, { 'src/deep/x.ts': 'x\n', 'src/a.ts': 'a\n', 'ünï code.txt': 'u\n' }, 'Files')
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', remote, 'main')
})
afterAll(() => server.close())

async function get(query = '', id = project.id) {
  return server.inject('GET', `/projects/${id}/repository/tree`, { query })
}

async function paths(query = ''): Promise<string[]> {
  const { status, body } = await get(query)
  expect(status).toBe(200)
  return body.map((entry: Json) => entry.path)
}

describe('GET /projects/:id/repository/tree', () => {
  it('lists the root of the default branch, without a token on a public project', async () => {
    const { body, headers } = await get()
    expect(headers['x-total']).toBe('3')
    expect(body[0]).toEqual({
      id: await mustGit(tree, 'rev-parse', 'HEAD:src'),
      name: 'src',
      type: 'tree',
      path: 'src',
      mode: '040000',
    })
    expect(body.map((entry: Json) => entry.path)).toEqual(['src', 'README.md', 'ünï code.txt'])
  })

  it('returns the last commit of each entry on request, without a process the next time', async () => {
    const { status, body } = await get('with_last_commits=true')
    expect(status).toBe(200)
    expect(body.map((entry: Json) => [entry.name, entry.last_commit.title])).toEqual([
      ['src', 'Files'],
      ['README.md', 'Initial commit'],
      ['ünï code.txt', 'Files'],
    ])
    expect(body[0].last_commit.id).toBe(await mustGit(tree, 'rev-parse', 'HEAD'))
    const before = server.app.git.spawnCount
    expect((await get('with_last_commits=true&per_page=2')).body).toEqual(body.slice(0, 2))
    expect(server.app.git.spawnCount).toBe(before)
    expect((await get('with_last_commits=true', empty.id)).body).toEqual([])
  })

  it('finds files below a directory by a part of their path', async () => {
    expect(await paths('search=EEP/x')).toEqual(['src/deep/x.ts'])
    expect((await paths('search=s&path=src')).toSorted()).toEqual(['src/a.ts', 'src/deep/x.ts'])
    expect(await paths('search=.ts&per_page=1&page=2')).toHaveLength(1)
    expect(await paths('search=nothing')).toEqual([])
    expect((await get('search=a&ref=nothing')).status).toBe(404)
  })

  it('returns 400 for last commits of a recursive list', async () => {
    expect((await get('with_last_commits=true&recursive=true')).status).toBe(400)
  })

  it('lists a directory, and recursively everything below it', async () => {
    expect(await paths('path=src')).toEqual(['src/deep', 'src/a.ts'])
    expect(await paths('path=/src/')).toEqual(['src/deep', 'src/a.ts'])
    expect((await paths('recursive=true&path=src')).toSorted()).toEqual([
      'src/a.ts',
      'src/deep',
      'src/deep/x.ts',
    ])
    expect(await paths('recursive=true')).toHaveLength(6)
    expect(await paths('recursive=true&per_page=2&page=3')).toHaveLength(2)
  })

  it('accepts a commit as ref', async () => {
    expect(await paths(`ref=${await mustGit(tree, 'rev-parse', 'HEAD~1')}`)).toEqual(['README.md'])
  })

  it.each(['none', 'README.md', '..', 'src/../..', '-x', 'x'.repeat(4000)])(
    'is empty for the path %s',
    async (path) => {
      expect(await paths(`path=${encodeURIComponent(path)}`)).toEqual([])
    },
  )

  it.each(['none', '-x', 'a..b', 'x'.repeat(1000), 'main:src'])(
    'returns 404 for the ref %s',
    async (ref) => {
      const { status, body } = await get(`ref=${ref}`)
      expect([status, body]).toEqual([404, { message: '404 Tree Not Found' }])
    },
  )

  it('returns 400 for a NUL byte', async () => {
    expect((await get('path=%00')).status).toBe(400)
    expect((await get('ref=%00')).status).toBe(400)
  })

  it('is empty in an empty repository', async () => {
    const { status, body } = await get('', empty.id)
    expect([status, body]).toEqual([200, []])
  })

  it('shows submodules as commits', async () => {
    const oid = await mustGit(tree, 'rev-parse', 'HEAD')
    await mustGit(tree, 'checkout', '--quiet', '-b', 'linked')
    await mustGit(tree, 'update-index', '--add', '--cacheinfo', `160000,${oid},src/linked`)
    await mustGit(tree, 'commit', '--quiet', '-m', 'Link')
    const { username, token } = server.root
    const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
    await mustGit(tree, 'push', remote, 'linked')
    const link = { id: oid, name: 'linked', type: 'commit', path: 'src/linked', mode: '160000' }
    expect((await get('ref=linked&path=src')).body.at(-1)).toEqual(link)
    expect((await get('ref=linked&recursive=true')).body).toContainEqual(link)
    expect(await paths('ref=linked&path=src/linked')).toEqual([])
  })

  it('returns 400 for invalid pagination and recursive values', async () => {
    expect((await get('pagination=keyset')).status).toBe(400)
    expect((await get('per_page=0')).status).toBe(400)
    expect((await get('recursive=perhaps')).status).toBe(400)
  })

  it('starts no git process for repeated requests', async () => {
    for (const query of ['path=src', 'recursive=true']) await get(query)
    const before = server.app.git.spawnCount
    for (const query of ['path=src', 'recursive=true']) await get(query)
    expect(server.app.git.spawnCount).toBe(before)
  })

  it('returns 404 when the code is hidden', async () => {
    const hidden = await server.buildProject()
    expect((await get('', hidden.id)).status).toBe(404)
    const token = await server.buildToken(server.root.id, ['read_repository'])
    const path = `/projects/${project.id}/repository/tree`
    expect((await server.inject('GET', path, { token })).status).toBe(403)
  })
})
