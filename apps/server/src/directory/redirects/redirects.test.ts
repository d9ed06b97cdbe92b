/*
 * Statements covered:
 * - a project that was renamed or transferred is found by the paths that it had, and so is what is in a
 *   renamed group or of a renamed user: addresses of pages redirect, reads of the API answer 302 with
 *   the path by id, other calls 405
 * - Git fetches and pushes, and says where the project is now
 * - what is at a path now comes first; who may not see what was moved learns nothing
 */
import { updateProject } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/web-browser.ts'
import { buildWorkTree, git, mustGit, newFolder, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await buildTestServer()
  token = server.root.token
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: object) =>
  server.inject(method, path, { token, ...(body === undefined ? {} : { body }) })

const encoded = (path: string) => encodeURIComponent(path)

/** A project in a group of its own. */
async function buildPlace(
  visibility = 'public',
): Promise<{ group: Json; project: Json; path: string }> {
  const group = await server.buildGroup({ visibility })
  const project = await server.buildProject({ namespace_id: group.id, visibility })
  return { group, project, path: project.path_with_namespace }
}

async function expectMoved(kind: 'projects' | 'groups', path: string, id: number): Promise<void> {
  const { status, headers, body } = await call('GET', `/${kind}/${encoded(path)}`)
  expect([status, headers.location]).toEqual([302, `/api/v4/${kind}/${id}`])
  expect(body.message).toContain(`moved permanently to /api/v4/${kind}/${id}`)
}

describe('a project that was moved', () => {
  it('is found by its old path once it is renamed', async () => {
    const { project, path } = await buildPlace()
    await call('PUT', `/projects/${project.id}`, { path: 'renamed' })
    await expectMoved('projects', path, project.id)
    await expectMoved('projects', path.toUpperCase(), project.id)
    const { headers } = await call('GET', `/projects/${encoded(path)}/issues?state=opened`)
    expect(headers.location).toBe(`/api/v4/projects/${project.id}/issues?state=opened`)
  })

  it('is found by all paths that it had, also in a renamed group', async () => {
    const { group, project, path } = await buildPlace()
    const target = await server.buildGroup({ visibility: 'public' })
    await call('PUT', `/projects/${project.id}/transfer`, { namespace: target.id })
    await call('PUT', `/groups/${target.id}`, { path: `${target.path}-new` })
    await call('PUT', `/projects/${project.id}`, { path: 'again' })
    await expectMoved('projects', path, project.id)
    await expectMoved('projects', `${target.path}/${project.path}`, project.id)
    await expectMoved('projects', `${target.path}/again`, project.id)
    await expectMoved('groups', target.path, target.id)
    expect((await call('GET', `/groups/${encoded(group.path)}`)).status).toBe(200)
  })

  it('is found by the old name of a user', async () => {
    const user = await server.buildUser()
    const body = { name: 'own', visibility: 'public' }
    const project = (await server.inject('POST', '/projects', { token: user.token, body })).body
    await call('PUT', `/users/${user.id}`, { username: `${user.username}-new` })
    await expectMoved('projects', `${user.username}/own`, project.id)
  })

  it('is not found where another one is now, and again once that is gone', async () => {
    const { group, project, path } = await buildPlace()
    await call('PUT', `/projects/${project.id}`, { path: 'elsewhere' })
    const other = await server.buildProject({ namespace_id: group.id, path: project.path })
    expect((await call('GET', `/projects/${encoded(path)}`)).body.id).toBe(other.id)
    await call('PUT', `/projects/${other.id}`, { path: 'third' })
    await expectMoved('projects', path, other.id)
    await call('DELETE', `/projects/${other.id}`)
    expect((await call('GET', `/projects/${encoded(path)}`)).status).toBe(404)
  })

  it('is changed by its new path alone', async () => {
    const { project, path } = await buildPlace()
    await call('PUT', `/projects/${project.id}`, { path: 'changed' })
    for (const [method, body] of [['PUT', { description: 'x' }], ['DELETE']] as const) {
      const {
        status,
        headers,
        body: error,
      } = await call(method, `/projects/${encoded(path)}`, body)
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
      expect(error.message).toBe('Non GET methods are not allowed for moved projects')
    }
  })

  it('is unknown to who may not see it', async () => {
    const { project, path } = await buildPlace('private')
    await call('PUT', `/projects/${project.id}`, { path: 'hidden' })
    const stranger = await server.buildUser()
    for (const who of [{}, { token: stranger.token }]) {
      const { status, body } = await server.inject('GET', `/projects/${encoded(path)}`, who)
      expect([status, body]).toEqual([404, { message: '404 Project Not Found' }])
      const { status: change } = await server.inject('PUT', `/projects/${encoded(path)}`, {
        ...who,
        body: { description: 'x' },
      })
      expect(change).toBe('token' in who ? 404 : 401)
    }
    const visitor = await openBrowser(server)
    expect((await visitor.open(`/${path}/-/issues`)).status).toBe(404)
  })

  it('costs one query of who asks for what never was, and three more of who is redirected', async () => {
    const { project, path } = await buildPlace()
    await call('PUT', `/projects/${project.id}`, { path: 'counted' })
    const { db } = server.app
    const queries = async (asked: string) => {
      const before = db.stats.queries
      await call('GET', `/projects/${encoded(asked)}`)
      return db.stats.queries - before
    }
    const known = await queries(`${path}-never`)
    expect(await queries(path)).toBe(known + 3)
  })

  it('is not looked for in a circle', async () => {
    const { group, project, path } = await buildPlace()
    await call('PUT', `/projects/${project.id}`, { path: 'circle' })
    await call('PUT', `/projects/${project.id}`, { path: project.path })
    expect((await call('GET', `/projects/${encoded(path)}`)).status).toBe(200)
    await expectMoved('projects', `${group.path}/circle`, project.id)
    // As a process would leave it that ended between two renames of the same transaction.
    await server.app.db.transaction((tx) =>
      updateProject(tx, project.id, { fullPath: `${group.path}/nowhere`, path: 'nowhere' }),
    )
    await expectMoved('projects', `${group.path}/circle`, project.id)
  })
})

describe('pages of what was moved', () => {
  it('redirect, with the rest of the address', async () => {
    const { group, project, path } = await buildPlace()
    await call('POST', `/projects/${project.id}/issues`, { title: 'Kept' })
    await call('PUT', `/groups/${group.id}`, { path: `${group.path}-new` })
    const now = `${group.path}-new/${project.path}`
    const visitor = await openBrowser(server)
    const moved: [string, string][] = [
      [`/${path}`, `/${now}`],
      [`/${path}/-/issues?state=all`, `/${now}/-/issues?state=all`],
      [`/${path}/-/issues/1`, `/${now}/-/issues/1`],
      [`/${group.path}`, `/${group.path}-new`],
      [`/groups/${group.path}/-/issues`, `/groups/${group.path}-new/-/issues`],
    ]
    for (const [from, to] of moved) {
      const { status, headers } = await visitor.send(from)
      expect([from, status, headers.get('location')]).toEqual([from, 302, to])
    }
    const user = await openBrowser(server, server.root)
    const issue = await user.open(`/${path}/-/issues/1`)
    expect([issue.address, issue.heading]).toEqual([
      `/${now}/-/issues/1`,
      expect.stringContaining('Kept'),
    ])
  })
})

describe('git of what was moved', () => {
  it('clones and pushes by the old path, and says the new one', async () => {
    const { project, path } = await buildPlace()
    const base = await server.url()
    const tree = await buildWorkTree()
    const { username } = server.root
    const old = remoteUrl(base, path, username, token)
    await mustGit(tree, 'push', old, 'main')
    await call('PUT', `/projects/${project.id}`, { path: 'pushed' })
    const now = `${project.namespace.full_path}/pushed`
    const folder = await newFolder()
    await mustGit(folder, 'clone', '-q', old, 'copy')
    const { code, stderr } = await git(tree, 'push', old, 'main:topic')
    expect(code).toBe(0)
    expect(stderr).toContain(`remote: The project ${path} was moved to ${now}.`)
    expect(stderr).toContain(`remote:   git remote set-url origin http://stithy.test/${now}.git`)
    const { body } = await call('GET', `/projects/${project.id}/repository/branches`)
    expect(body.map(({ name }: Json) => name)).toEqual(['main', 'topic'])
    const wiki = await git(
      tree,
      'push',
      remoteUrl(base, `${path}.wiki`, username, token),
      'main:master',
    )
    expect(wiki.stderr).toContain(`git remote set-url origin http://stithy.test/${now}.wiki.git`)
    expect((await call('GET', `/projects/${encoded(path)}`)).status).toBe(302)
  })

  it('creates a project at the old path of one that the user may not see', async () => {
    const { group, project, path } = await buildPlace('private')
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 40)
    const target = await server.buildGroup()
    await call('PUT', `/projects/${project.id}/transfer`, { namespace: target.id })
    const tree = await buildWorkTree()
    const remote = remoteUrl(await server.url(), path, user.username, user.token)
    const { stderr } = await git(tree, 'push', remote, 'main')
    expect(stderr).toContain(`The private project ${path} was created.`)
  })
})
