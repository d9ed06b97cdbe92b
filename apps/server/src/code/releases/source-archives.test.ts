import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, commit, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let base: string

beforeAll(async () => {
  server = await buildTestServer()
  const group = await server.buildGroup()
  const below = await server.buildGroup({ parent_id: group.id })
  project = await server.buildProject({ namespace_id: below.id })
  const tree = await buildWorkTree()
  const { username, token } = server.root
  const remote = remoteUrl(await server.url(), project.path_with_namespace, username, token)
  await mustGit(tree, 'tag', 'v1')
  await mustGit(tree, 'tag', '-a', '-m', 'm', 'rc/ü', 'HEAD')
  await commit(tree, { 'later.txt': 'later\n' }, 'Later')
  // A branch of the same name has lower precedence than the tag.
  await mustGit(tree, 'branch', 'other')
  await mustGit(tree, 'push', '--quiet', remote, 'main', '--tags', 'other:refs/heads/v1')
  base = `//${project.path_with_namespace}/-/archive`
})
afterAll(() => server.close())

function get(path: string, input: object = { token: server.root.token }) {
  return server.inject('GET', `${base}/${path}`, input)
}

function list(archive: Buffer): string[] {
  const text = execFileSync('tar', ['-t', '--quoting-style=literal'], { input: archive }).toString()
  return text.trim().split('\n')
}

describe('GET /<project>/-/archive/<tag>/<file>.<format>', () => {
  it('serves the URLs that a release lists', async () => {
    const { token } = server.root
    for (const tag of ['v1', 'rc/ü']) {
      const body = { tag_name: tag, name: tag, description: 'd' }
      const release = await server.inject('POST', `/projects/${project.id}/releases`, {
        token,
        body,
      })
      for (const { format, url } of release.body.assets.sources) {
        const path = url.replace('http://stithy.test', '/')
        const answer = await server.inject('GET', path, { token })
        expect(answer.status).toBe(200)
        const stem = `${project.path}-${tag.replace('/', '-')}`
        const name = encodeURIComponent(`${stem}.${format}`)
        expect(decodeURIComponent(answer.headers['content-disposition'] ?? '')).toContain(
          decodeURIComponent(name),
        )
        expect(answer.bytes.length).toBeGreaterThan(100)
        if (format === 'tar') expect(list(answer.bytes)).toEqual([`${stem}/`, `${stem}/README.md`])
      }
    }
  })

  it.each(['zip', 'tar.gz', 'tar.bz2', 'tar'])('is found without a dash: %s', async (format) => {
    const file = `rc/%C3%BC/${project.path}.${format}`
    const path = `${base.replace('/-', '')}/${file}?private_token=x`
    const { status, headers } = await server.inject('GET', path)
    expect([status, headers.location]).toEqual([303, `${base.slice(1)}/${file}?private_token=x`])
  })

  it('leaves the projects alone that are in a group called archive', async () => {
    const visibility = 'public'
    const top = await server.buildGroup({ visibility })
    const parent = await server.buildGroup({ parent_id: top.id, visibility })
    const group = await server.buildGroup({ parent_id: parent.id, visibility, path: 'archive' })
    const below = await server.buildGroup({ parent_id: group.id, visibility })
    for (const { id } of [group, below]) {
      const inner = await server.buildProject({ namespace_id: id, visibility })
      const address = `//${inner.path_with_namespace}`
      const { status } = await server.inject('GET', address, { headers: { accept: 'text/html' } })
      expect([address, status]).toEqual([address, 200])
    }
  })

  it('accepts the token as a parameter, and HEAD', async () => {
    const { token } = server.root
    const name = `v1/${project.path}-v1.tar`
    expect((await get(name, { query: `private_token=${token}` })).status).toBe(200)
    const head = await server.inject('HEAD', `${base}/${name}`, { token })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
  })

  it('requires the right to read code', async () => {
    const name = `v1/${project.path}-v1.zip`
    expect((await get(name, {})).status).toBe(404)
    expect((await get(name, { token: 'wrong' })).status).toBe(401)
    const user = await server.buildUser()
    expect((await get(name, { token: user.token })).status).toBe(404)
    await server.addMember(`projects/${project.id}`, user.id, 10)
    expect((await get(name, { token: user.token })).status).toBe(403)
    const scoped = await server.buildToken(server.root.id, ['read_user'])
    expect((await get(name, { token: scoped })).status).toBe(403)
    const { token } = server.root
    const path = `/projects/${project.id}`
    const reporter = await server.buildUser()
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    expect((await get(name, { token: reporter.token })).status).toBe(200)
    await server.inject('PUT', path, { token, body: { repository_access_level: 'disabled' } })
    expect((await get(name)).status).toBe(403)
    await server.inject('PUT', path, { token, body: { repository_access_level: 'enabled' } })
  })

  it.each([
    'none/x.zip',
    'v1/x.rar',
    'v1/x',
    'v1/',
    'v1.zip',
    '-x/x.zip',
    '--output=x/x.zip',
    '%2E%2E/x.zip',
    'a%00b/x.zip',
    `${'x'.repeat(3000)}/x.zip`,
  ])('answers 404 for %s', async (path) => {
    expect((await get(path)).status).toBe(404)
  })

  it('returns 404 for an unknown project', async () => {
    const { token } = server.root
    for (const path of ['//a/b/-/archive/v1/x.zip', '//a/-/archive/v1/x.zip']) {
      expect((await server.inject('GET', path, { token })).status).toBe(404)
    }
  })
})
