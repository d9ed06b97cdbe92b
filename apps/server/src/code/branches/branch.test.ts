import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let empty: Json
let tree: string
let remote: string

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ visibility: 'public' })
  empty = await server.buildProject({ visibility: 'public' })
  tree = await buildWorkTree()
  const { username, token } = server.root
  remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', remote, 'main', 'main:behind')
  // Commit dates have whole seconds.
  await sleep(1100)
  await mustGit(tree, 'checkout', '--quiet', '-b', 'topic/x')
  await commit(tree, { 'b.txt': 'b\n' }, 'Ahead')
  await mustGit(tree, 'checkout', '--quiet', 'main')
  await mustGit(tree, 'commit', '--quiet', '--allow-empty', '--message', 'Newest')
  await mustGit(tree, 'push', remote, 'main', 'topic/x')
})
afterAll(() => server.close())

async function get(path = '', query = '', who: { token?: string } = {}, id = project.id) {
  const input = who.token === undefined ? { query } : { query, token: who.token }
  return server.inject('GET', `/projects/${id}/repository/branches${path}`, input)
}

async function names(query = ''): Promise<string[]> {
  const { status, body } = await get('', query)
  expect(status).toBe(200)
  return body.map((branch: Json) => branch.name)
}

describe('GET /projects/:id/repository/branches', () => {
  it('lists branches by name', async () => {
    const { body, headers } = await get()
    expect(headers['x-total']).toBe('3')
    expect(body.map((branch: Json) => branch.name)).toEqual(['behind', 'main', 'topic/x'])
    expect(body[1]).toEqual({
      name: 'main',
      merged: false,
      protected: true,
      default: true,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: false,
      commit: {
        id: await mustGit(tree, 'rev-parse', 'main'),
        short_id: expect.stringMatching(/^[0-9a-f]{8}$/),
        title: 'Newest',
        message: 'Newest\n',
        parent_ids: [expect.any(String)],
        author_name: 'Ada',
        author_email: 'ada@example.com',
        authored_date: expect.any(String),
        committer_name: 'Ada',
        committer_email: 'ada@example.com',
        committed_date: expect.any(String),
      },
    })
  })

  it('counts on request how far branches are from the default branch', async () => {
    const { body } = await get('', 'with_divergence=true')
    expect(body.map((branch: Json) => branch.divergence)).toEqual([
      { ahead: 0, behind: 1 },
      { ahead: 0, behind: 0 },
      { ahead: 1, behind: 1 },
    ])
    expect((await get('', 'with_divergence=true', {}, empty.id)).body).toEqual([])
  })

  it('shows which branches are merged, and who may push', async () => {
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const { body } = await get('', '', developer)
    expect(body.map((branch: Json) => branch.merged)).toEqual([true, false, false])
    // The default branch is protected according to `default_branch_protection`.
    expect(body.map((branch: Json) => branch.can_push)).toEqual([true, false, true])
    const { body: strange } = await get('', '', await server.buildUser())
    expect(strange.some((branch: Json) => branch.can_push)).toBe(false)
  })

  it('searches with and without the anchors ^ and $', async () => {
    expect(await names('search=I')).toEqual(['behind', 'main', 'topic/x'])
    expect(await names('search=^m')).toEqual(['main'])
    expect(await names('search=d$')).toEqual(['behind'])
    expect(await names('search=.*')).toEqual([])
    expect(await names('search=')).toHaveLength(3)
  })

  it('sorts by name and by date, and paginates', async () => {
    expect((await names('sort=updated_desc')).at(-1)).toBe('behind')
    expect((await names('sort=updated_asc'))[0]).toBe('behind')
    expect(await names('per_page=1&page=2')).toEqual(['main'])
    expect((await get('', 'sort=size')).status).toBe(400)
  })

  it('is empty in an empty repository', async () => {
    const { status, body } = await get('', '', {}, empty.id)
    expect([status, body]).toEqual([200, []])
  })

  it('starts no git process for repeated requests', async () => {
    const calls = ['', '/topic%2Fx']
    for (const path of calls) await get(path)
    const before = server.app.git.spawnCount
    for (const path of calls) expect((await get(path)).status).toBe(200)
    expect(server.app.git.spawnCount).toBe(before)
  })

  it('shows a branch as soon as it is pushed', async () => {
    await names()
    await mustGit(tree, 'push', remote, 'main:fresh')
    expect(await names()).toContain('fresh')
    await mustGit(tree, 'push', remote, ':fresh')
    expect(await names()).not.toContain('fresh')
  })
})

describe('GET /projects/:id/repository/branches/:branch', () => {
  it('shows a branch, also with a slash in its name', async () => {
    expect((await get('/main')).body).toMatchObject({ name: 'main', default: true })
    expect((await get('/topic%2Fx')).body).toMatchObject({ name: 'topic/x', default: false })
  })

  it('returns 404 for an unknown branch and in an empty repository', async () => {
    const answer = await get('/none')
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Branch Not Found' }])
    expect((await get('/master', '', {}, empty.id)).status).toBe(404)
  })

  it.each(['-x', 'a..b', '%00', 'a%20b', 'x'.repeat(5000), 'refs%2Fheads%2Fmain', 'main.lock'])(
    'returns 400 for the name %s',
    async (name) => {
      expect((await get(`/${name}`)).status).toBe(400)
    },
  )

  it('responds to HEAD with 204 or 404', async () => {
    const head = (name: string) =>
      server.inject('HEAD', `/projects/${project.id}/repository/branches/${name}`)
    expect((await head('main')).status).toBe(204)
    expect((await head('none')).status).toBe(404)
    expect((await head('a..b')).status).toBe(404)
  })

  it('returns 404 when the code is hidden', async () => {
    const hidden = await server.buildProject()
    expect((await get('', '', {}, hidden.id)).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${hidden.id}`, guest.id, 10)
    expect((await get('/main', '', guest, hidden.id)).status).toBe(403)
  })
})
