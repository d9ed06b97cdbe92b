import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let empty: Json
let tree: string
let first: string
let second: string

/** A commit with a fixed date. */
async function commitAt(seconds: number): Promise<string> {
  const date = `${seconds} +0000`
  await mustGit(tree, 'commit', '--quiet', '--allow-empty', '--message', `At ${seconds}`)
  const oid = await mustGit(tree, 'rev-parse', 'HEAD')
  const raw = (await mustGit(tree, 'cat-file', 'commit', oid)).replace(
    /> \d+ [+-]\d{4}$/gm,
    `> ${date}`,
  )
  await writeFile(`${tree}/.git/raw`, `${raw}\n`)
  const dated = await mustGit(tree, 'hash-object', '-t', 'commit', '-w', `${tree}/.git/raw`)
  await mustGit(tree, 'reset', '--quiet', '--hard', dated)
  return dated
}

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject({ visibility: 'public' })
  empty = await server.buildProject({ visibility: 'public' })
  tree = await buildWorkTree()
  first = await commitAt(1_600_000_000)
  second = await commitAt(1_700_000_000)
  await mustGit(tree, 'tag', 'v1.0', first)
  await mustGit(tree, 'tag', '-a', '-m', 'Second\n\nwith a body', 'release/v2', second)
  await mustGit(tree, 'tag', 'ünï-α', first)
  await mustGit(tree, 'tag', 'blob', 'HEAD:README.md')
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'push', '--quiet', remote, 'main', '--tags')
})
afterAll(() => server.close())

function get(path = '', query = '', id = project.id, who: { token?: string } = {}) {
  const input = who.token === undefined ? { query } : { query, token: who.token }
  return server.inject('GET', `/projects/${id}/repository/tags${path}`, input)
}

async function names(query = ''): Promise<string[]> {
  const { status, body } = await get('', query)
  expect(status).toBe(200)
  return body.map((tag: Json) => tag.name)
}

describe('GET /projects/:id/repository/tags', () => {
  it('lists the tags of the newest commits first, without a token on a public project', async () => {
    const { body, headers } = await get()
    expect(headers['x-total']).toBe('4')
    expect(body.map((tag: Json) => tag.name)).toEqual(['release/v2', 'ünï-α', 'v1.0', 'blob'])
    expect(body[2]).toEqual({
      name: 'v1.0',
      message: null,
      target: first,
      commit: expect.objectContaining({
        id: first,
        title: 'At 1600000000',
        created_at: expect.any(String),
      }),
      release: null,
      protected: false,
    })
    expect(body[0]).toMatchObject({ message: 'Second\n\nwith a body', commit: { id: second } })
    expect(body[0].target).toBe(await mustGit(tree, 'rev-parse', 'refs/tags/release/v2'))
    expect(body[3]).toMatchObject({ name: 'blob', commit: null })
  })

  it('orders by date and name, both ways, and paginates', async () => {
    expect(await names('sort=asc')).toEqual(['blob', 'v1.0', 'ünï-α', 'release/v2'])
    expect(await names('order_by=name&sort=asc')).toEqual(['blob', 'release/v2', 'v1.0', 'ünï-α'])
    expect(await names('order_by=name')).toEqual(['ünï-α', 'v1.0', 'release/v2', 'blob'])
    expect(await names('order_by=name&per_page=1&page=2')).toEqual(['v1.0'])
    expect((await get('', 'order_by=size')).status).toBe(400)
    expect((await get('', 'sort=up')).status).toBe(400)
  })

  it('searches with and without the anchors ^ and $', async () => {
    expect(await names('search=V')).toEqual(['release/v2', 'v1.0'])
    expect(await names('search=^v')).toEqual(['v1.0'])
    expect(await names('search=2$')).toEqual(['release/v2'])
    expect(await names('search=.*')).toEqual([])
    expect(await names('search=')).toHaveLength(4)
    expect((await get('', 'search=%00')).status).toBe(400)
  })

  it('starts no git process and runs as many queries for one tag as for all, when cached', async () => {
    await names()
    const { git, db } = server.app
    const spawned = git.spawnCount
    let before = db.stats.queries
    await names('per_page=1')
    const forOne = db.stats.queries - before
    before = db.stats.queries
    await names()
    expect(db.stats.queries - before).toBe(forOne)
    expect(git.spawnCount).toBe(spawned)
  })

  it('is empty in an empty repository, and returns 404 when the code is hidden', async () => {
    const { status, body } = await get('', '', empty.id)
    expect([status, body]).toEqual([200, []])
    const hidden = await server.buildProject()
    expect((await get('', '', hidden.id)).status).toBe(404)
    const guest = await server.buildUser()
    await server.addMember(`projects/${hidden.id}`, guest.id, 10)
    expect((await get('', '', hidden.id, guest)).status).toBe(403)
    expect((await get('/v1.0', '', hidden.id, guest)).status).toBe(403)
  })

  it('shows which tags are protected', async () => {
    const path = `/projects/${project.id}/protected_tags`
    const { token } = server.root
    await server.inject('POST', path, { token, body: { name: 'release/*' } })
    const { body } = await get()
    expect(body.map((tag: Json) => tag.protected)).toEqual([true, false, false, false])
    expect((await get('/release%2Fv2')).body.protected).toBe(true)
    await server.inject('DELETE', `${path}/release%2F*`, { token })
  })
})

describe('GET /projects/:id/repository/tags/:tag_name', () => {
  it.each([
    ['v1.0', 'v1.0'],
    ['v1%2E0', 'v1.0'],
    ['release%2Fv2', 'release/v2'],
    [encodeURIComponent('ünï-α'), 'ünï-α'],
  ])('shows %s', async (path, name) => {
    const { status, body } = await get(`/${path}`)
    expect([status, body.name]).toEqual([200, name])
  })

  it.each([
    'none',
    '-x',
    'a..b',
    'a%20b',
    'main',
    'x'.repeat(5000),
    'refs%2Ftags%2Fv1.0',
    '%2E%2E%2Fx',
  ])('answers 404 for %s', async (name) => {
    const { status, body } = await get(`/${name}`)
    expect([status, body]).toEqual([404, { message: '404 Tag Not Found' }])
  })

  it('returns 404 in an empty repository', async () => {
    expect((await get('/v1.0', '', empty.id)).status).toBe(404)
  })
})
