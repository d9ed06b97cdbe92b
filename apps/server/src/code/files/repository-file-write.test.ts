import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CommitHelpers, commitHelpers, create } from '../../testing/clients/commit-helpers.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let commits: CommitHelpers
let first: Json

beforeAll(async () => {
  server = await buildTestServer()
  commits = commitHelpers(server)
})
beforeEach(async () => {
  project = await server.buildProject()
  first = await commits.must(project.id, [create('dir/a', 'a')])
})
afterAll(() => server.close())

interface Fields {
  token?: string
  [field: string]: unknown
}

async function call(method: string, path: string, { token, ...fields }: Fields = {}) {
  return server.inject(
    method,
    `/projects/${project.id}/repository/files/${encodeURIComponent(path)}`,
    {
      token: token ?? server.root.token,
      body: { branch: 'main', commit_message: 'Write', ...fields },
    },
  )
}

async function show(path: string, ref = 'main'): Promise<Json> {
  const { body } = await server.inject(
    'GET',
    `/projects/${project.id}/repository/files/${encodeURIComponent(path)}`,
    { token: server.root.token, query: `ref=${ref}` },
  )
  return body
}

async function head(ref = 'main'): Promise<Json> {
  const path = `/projects/${project.id}/repository/commits/${encodeURIComponent(ref)}`
  return (await server.inject('GET', path, { token: server.root.token })).body
}

/** The refusals that all three share: status 400 with a reason, and nothing is written. */
async function expectRefused(method: string, path: string, fields: Fields): Promise<void> {
  const { status, body } = await call(method, path, fields)
  expect([status, body.message, fields]).toEqual([400, expect.stringMatching(/\.$/), fields])
}

describe('POST /projects/:id/repository/files/:file_path', () => {
  it('accepts a file of many megabytes, and returns 413 above the limit', async () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024, 'large ')
    const sent = { content: bytes.toString('base64'), encoding: 'base64' }
    expect(await call('POST', 'large.bin', sent)).toMatchObject({ status: 201 })
    expect(await show('large.bin')).toMatchObject({ size: bytes.length })
    const tooLarge = 'x'.repeat(65 * 1024 * 1024)
    expect(await call('POST', 'larger.bin', { content: tooLarge })).toMatchObject({ status: 413 })
  })

  it('creates a file and returns its path and branch', async () => {
    const { status, body } = await call('POST', 'dir/new file.txt', { content: 'ü\n' })
    expect([status, body]).toEqual([201, { file_path: 'dir/new file.txt', branch: 'main' }])
    const file = await show('dir/new file.txt')
    expect(Buffer.from(file.content, 'base64').toString()).toBe('ü\n')
    expect(await head()).toMatchObject({ message: 'Write', parent_ids: [first.id] })
  })

  it('accepts base64, an author, and a start branch', async () => {
    const { status, body } = await call('POST', 'bin', {
      branch: 'topic/x',
      start_branch: 'main',
      content: 'AP8K',
      encoding: 'base64',
      author_name: 'Grace',
      author_email: 'grace@example.org',
      file_path: 'ignored',
    })
    expect([status, body]).toEqual([201, { file_path: 'bin', branch: 'topic/x' }])
    expect((await show('bin', 'topic/x')).content).toBe('AP8K')
    const commit = await head('topic/x')
    expect(commit).toMatchObject({ author_name: 'Grace', author_email: 'grace@example.org' })
    expect(commit.committer_name).toBe('Administrator')
  })

  it('accepts empty content, and creates the first commit of an empty repository', async () => {
    project = await server.buildProject()
    expect((await call('POST', 'README.md', { content: '', branch: 'trunk' })).status).toBe(201)
    const { body } = await server.inject('GET', `/projects/${project.id}`, {
      token: server.root.token,
    })
    expect(body.default_branch).toBe('trunk')
    expect((await show('README.md', 'trunk')).size).toBe(0)
  })

  it('returns 400 for an existing file, and invalid paths, branches and contents', async () => {
    await commits.must(project.id, [create('b')], { branch: 'other', start_branch: 'main' })
    for (const path of ['dir/a', 'dir', 'dir/a/b', '../x', '.git/x', '/x', 'x/']) {
      await expectRefused('POST', path, { content: 'x' })
    }
    for (const fields of [
      { branch: 'none' },
      { branch: 'a..b', start_branch: 'main' },
      { branch: 'new', start_branch: 'none' },
      { branch: 'other', start_branch: 'main' },
      { content: '$$$', encoding: 'base64' },
    ]) {
      await expectRefused('POST', 'new', { content: 'x', ...fields })
    }
    expect((await head()).id).toBe(first.id)
  })

  it('returns 400 for missing parameters', async () => {
    for (const [fields, error] of [
      [{}, 'content is missing'],
      [{ content: 'x', branch: '' }, 'branch is empty'],
      [{ content: 'x', commit_message: '' }, 'commit_message is empty'],
      [{ content: 'x', encoding: 'rot13' }, 'encoding does not have a valid value'],
    ] as const) {
      const { status, body } = await call('POST', 'new', fields)
      expect([status, body]).toEqual([400, { error }])
    }
  })
})

describe('PUT /projects/:id/repository/files/:file_path', () => {
  it('updates a file, and keeps its mode', async () => {
    await commits.must(project.id, [
      { action: 'chmod', file_path: 'dir/a', execute_filemode: true },
    ])
    const { status, body } = await call('PUT', 'dir/a', { content: 'new' })
    expect([status, body]).toEqual([200, { file_path: 'dir/a', branch: 'main' }])
    expect(await commits.files(project.id)).toEqual({ 'dir/a': '100755 new' })
  })

  it('returns 400 for a missing file, a folder and unchanged content', async () => {
    for (const path of ['none', 'dir', 'dir/a/b', '../x'])
      await expectRefused('PUT', path, { content: 'x' })
    await expectRefused('PUT', 'dir/a', { content: 'a' })
    await expectRefused('PUT', 'dir/a', { content: 'YQ==', encoding: 'base64' })
    expect((await head()).id).toBe(first.id)
  })

  it('respects last_commit_id', async () => {
    const second = await commits.must(project.id, [create('other')])
    await expectRefused('PUT', 'dir/a', { content: 'x', last_commit_id: second.id })
    await expectRefused('PUT', 'dir/a', { content: 'x', last_commit_id: '-x' })
    const { last_commit_id } = await show('dir/a')
    expect(last_commit_id).toBe(first.id)
    expect((await call('PUT', 'dir/a', { content: 'x', last_commit_id })).status).toBe(200)
    await expectRefused('PUT', 'dir/a', { content: 'y', last_commit_id })
    const blank = { content: 'y', last_commit_id: '' }
    expect((await call('PUT', 'dir/a', blank)).status).toBe(200)
  })
})

describe('DELETE /projects/:id/repository/files/:file_path', () => {
  it('deletes a file, with parameters in the body or in the query', async () => {
    await commits.must(project.id, [create('b')])
    const { status, text } = await call('DELETE', 'dir/a')
    expect([status, text]).toEqual([204, ''])
    const path = `/projects/${project.id}/repository/files/b`
    const query = 'branch=main&commit_message=Gone'
    expect((await server.inject('DELETE', path, { token: server.root.token, query })).status).toBe(
      204,
    )
    expect(await commits.files(project.id)).toEqual({})
    expect((await head()).title).toBe('Gone')
  })

  it('returns 400 for a missing file, a folder, a stale last_commit_id and missing parameters', async () => {
    const second = await commits.must(project.id, [create('b')])
    for (const path of ['none', 'dir', '../x']) await expectRefused('DELETE', path, {})
    await expectRefused('DELETE', 'dir/a', { last_commit_id: second.id })
    expect((await call('DELETE', 'dir/a', { branch: '' })).body).toEqual({
      error: 'branch is empty',
    })
    expect((await call('DELETE', 'dir/a', { last_commit_id: first.id })).status).toBe(204)
  })
})

describe.each(['POST', 'PUT', 'DELETE'])(
  '%s /projects/:id/repository/files/:file_path',
  (method) => {
    it('requires the Developer role, and returns 400 for a branch that may not be pushed to', async () => {
      const path = method === 'POST' ? 'new' : 'dir/a'
      const [reporter, developer, stranger] = await Promise.all([
        server.buildUser(),
        server.buildUser(),
        server.buildUser(),
      ])
      await server.addMember(`projects/${project.id}`, reporter.id, 20)
      await server.addMember(`projects/${project.id}`, developer.id, 30)
      const fields = { content: 'new' }
      expect((await call(method, path, { ...fields, token: stranger.token })).status).toBe(404)
      expect((await call(method, path, { ...fields, token: reporter.token })).status).toBe(403)
      await expectRefused(method, path, { ...fields, token: developer.token })
      const own = { ...fields, token: developer.token, branch: 'own', start_branch: 'main' }
      expect((await call(method, path, own)).status).toBeLessThan(300)
      await server.inject('POST', `/projects/${project.id}/archive`, { token: server.root.token })
      expect((await call(method, path, fields)).status).toBe(403)
      expect((await head()).id).toBe(first.id)
    })
  },
)
