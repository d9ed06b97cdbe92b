import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CommitHelpers, commitHelpers, create } from '../../testing/clients/commit-helpers.ts'
import { buildWorkTree, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let commits: CommitHelpers

const old = '1'.repeat(40)
const fresh = 'ab'.repeat(20)

beforeAll(async () => {
  server = await buildTestServer()
  commits = commitHelpers(server)
})
beforeEach(async () => {
  project = await server.buildProject()
  const tree = await buildWorkTree({ 'README.md': 'r' })
  await mustGit(tree, 'update-index', '--add', '--cacheinfo', `160000,${old},lib/module`)
  await mustGit(tree, 'commit', '--quiet', '-m', 'Add a submodule')
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', '--quiet', remote, 'main')
})
afterAll(() => server.close())

async function put(path: string, fields: object, token = server.root.token) {
  const url = `/projects/${project.id}/repository/submodules/${encodeURIComponent(path)}`
  return server.inject('PUT', url, {
    token,
    body: { branch: 'main', commit_sha: fresh, ...fields },
  })
}

async function moduleOf(ref = 'main'): Promise<Json> {
  const { body } = await server.inject('GET', `/projects/${project.id}/repository/tree`, {
    token: server.root.token,
    query: `path=lib&ref=${ref}`,
  })
  return body[0]
}

describe('PUT /projects/:id/repository/submodules/:submodule', () => {
  it('updates the submodule to another commit', async () => {
    const { status, body } = await put('lib/module', {})
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: `Update submodule lib/module to ${fresh}`,
      author_name: 'Administrator',
      stats: { additions: 1, deletions: 1, total: 2 },
      status: null,
      project_id: project.id,
    })
    expect(await moduleOf()).toMatchObject({ type: 'commit', mode: '160000', id: fresh })
    expect((await commits.tips(project.id)).main).toBe(body.id)
  })

  it('accepts a message, and an upper-case hash', async () => {
    const { body } = await put('lib/module', {
      commit_sha: fresh.toUpperCase(),
      commit_message: 'Newer lib',
    })
    expect(body.message).toBe('Newer lib')
    expect((await moduleOf()).id).toBe(fresh)
  })

  it('returns 400 when the update is impossible, and writes nothing', async () => {
    const before = await commits.tips(project.id)
    for (const path of ['README.md', 'lib', 'none', 'lib/module/x', '../x', '-x', '.git']) {
      const { status, body } = await put(path, {})
      expect([status, typeof body.message, path]).toEqual([400, 'string', path])
    }
    for (const fields of [
      { commit_sha: fresh.slice(1) },
      { commit_sha: 'main' },
      { commit_sha: `${fresh}0` },
      { commit_sha: old },
      { branch: 'none' },
      { branch: 'a..b' },
      { branch: '' },
      { commit_sha: '' },
    ]) {
      expect([(await put('lib/module', fields)).status, fields]).toEqual([400, fields])
    }
    expect(await commits.tips(project.id)).toEqual(before)
    project = await server.buildProject()
    expect((await put('lib/module', {})).status).toBe(400)
    expect(await commits.tips(project.id)).toEqual({})
  })

  it('requires the Developer role, and returns 400 for a branch that may not be pushed to', async () => {
    const [reporter, developer] = [await server.buildUser(), await server.buildUser()]
    expect((await put('lib/module', {}, reporter.token)).status).toBe(404)
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    expect((await put('lib/module', {}, reporter.token)).status).toBe(403)
    expect((await put('lib/module', {}, developer.token)).status).toBe(400)
    await commits.must(project.id, [create('x')], { branch: 'topic', start_branch: 'main' })
    expect((await put('lib/module', { branch: 'topic' }, developer.token)).status).toBe(200)
    expect((await moduleOf()).id).toBe(old)
    expect((await moduleOf('topic')).id).toBe(fresh)
  })

  it('is deleted and moved like a file, but cannot be written to', async () => {
    const act = (action: object) =>
      commits.send(project.id, [{ file_path: 'lib/module', ...action }])
    expect((await act({ action: 'update', content: 'x' })).status).toBe(400)
    expect((await act({ action: 'chmod', execute_filemode: true })).status).toBe(400)
    const moved = { action: 'move', file_path: 'lib/moved', previous_path: 'lib/module' }
    expect((await commits.send(project.id, [{ ...moved, content: 'x' }])).status).toBe(400)
    await commits.must(project.id, [moved])
    expect(await moduleOf()).toMatchObject({ path: 'lib/moved', id: old })
    await commits.must(project.id, [{ action: 'delete', file_path: 'lib/moved' }])
    expect(await moduleOf()).toBeUndefined()
  })
})
