import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commit, mustGit, pushedProject } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

interface Actor {
  token: string
}

const link = (project: Json, source: Json | string, { token }: Actor = server.root) => {
  const ref = encodeURIComponent(typeof source === 'string' ? source : source.id)
  return server.inject('POST', `/projects/${project.id}/fork/${ref}`, { token })
}
const unlink = (project: Json, { token }: Actor = server.root) =>
  server.inject('DELETE', `/projects/${project.id}/fork`, { token })
const show = async (project: Json) =>
  (await server.inject('GET', `/projects/${project.id}`, { token: server.root.token })).body
const build = (visibility = 'public') => server.buildProject({ visibility })

/** A project of a user, as which they are its owner. */
async function buildOwned(visibility = 'public') {
  const user = await server.buildUser()
  return { user, project: await server.buildProject({ visibility }, user) }
}

describe('POST /projects/:id/fork/:forked_from_id', () => {
  it('makes the project a fork of one by id, with 201', async () => {
    const { user, project } = await buildOwned()
    const source = await build()
    const { status, body } = await link(project, source, user)
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: project.id, forked_from_project: { id: source.id } })
    expect((await show(source)).forks_count).toBe(1)
    const forks = await server.inject('GET', `/projects/${source.id}/forks`)
    expect(forks.body.map(({ id }: Json) => id)).toEqual([project.id])
  })

  it('or of one by full path', async () => {
    const [project, source] = [await build(), await build()]
    const { status, body } = await link(project, source.path_with_namespace)
    expect([status, body.forked_from_project.id]).toEqual([201, source.id])
  })

  it('narrows the project and its forks to the visibility of the source', async () => {
    const [source, project, fork] = [await build('internal'), await build(), await build()]
    expect((await link(fork, project)).status).toBe(201)
    const { body } = await link(project, source)
    expect(body.visibility).toBe('internal')
    expect((await show(fork)).visibility).toBe('internal')
  })

  it('fails with 409 for a source that the caller may not fork', async () => {
    const source = await build('private')
    const { user, project } = await buildOwned('private')
    await server.addMember(`projects/${source.id}`, user.id, 10)
    expect(await link(project, source, user)).toMatchObject({
      status: 409,
      body: { message: 'Forking is forbidden' },
    })
    expect((await show(project)).forked_from_project).toBeUndefined()
    await server.inject('PUT', `/projects/${source.id}/members/${user.id}`, {
      token: server.root.token,
      body: { access_level: 20 },
    })
    expect((await link(project, source, user)).status).toBe(201)
  })

  it('fails with 409 for a project that is a fork already', async () => {
    const [project, source] = [await build(), await build()]
    await link(project, source)
    const { status, body } = await link(project, await build())
    expect([status, body]).toEqual([409, { message: 'Project already forked' }])
    expect((await show(project)).forked_from_project.id).toBe(source.id)
  })

  it('fails with 409 for the project itself and its forks', async () => {
    const [first, second, third] = [await build(), await build(), await build()]
    await link(second, first)
    await link(third, second)
    for (const source of [first, second, third]) {
      expect((await link(first, source)).status).toBe(409)
    }
    expect((await show(first)).forks_count).toBe(1)
    expect((await show(third)).forks_count).toBe(0)
  })

  it('at most one of two projects that become forks of each other at the same time', async () => {
    const [first, second] = [await build(), await build()]
    const answers = await Promise.all([link(first, second), link(second, first)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('fails with 404 for a source that is missing or hidden', async () => {
    const { user, project } = await buildOwned()
    for (const source of ['999999', 'no/such', await build('private')]) {
      const { status, body } = await link(project, source, user)
      expect([status, body]).toEqual([404, { message: '404 Project Not Found' }])
    }
  })

  it('fails with 403 for maintainers, and 401 without a token', async () => {
    const [project, source] = [await build(), await build()]
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    expect((await link(project, source, maintainer)).status).toBe(403)
    expect((await unlink(project, maintainer)).status).toBe(403)
    const path = `/projects/${project.id}/fork`
    expect((await server.inject('POST', `${path}/${source.id}`)).status).toBe(401)
    expect((await server.inject('DELETE', path)).status).toBe(401)
  })
})

describe('DELETE /projects/:id/fork', () => {
  it('ends the relation, with 204', async () => {
    const [project, source] = [await build(), await build()]
    await link(project, source)
    const { status, text } = await unlink(project)
    expect([status, text]).toEqual([204, ''])
    expect(await show(project)).not.toHaveProperty('forked_from_project')
    expect((await show(source)).forks_count).toBe(0)
    // From now on, it is more visible than the former source.
    const { token } = server.root
    await server.inject('PUT', `/projects/${source.id}`, { token, body: { visibility: 'private' } })
    expect((await show(project)).visibility).toBe('public')
  })

  it('returns 304 when the project is no fork, also to the second of two calls', async () => {
    const [project, source] = [await build(), await build()]
    expect((await unlink(project)).status).toBe(304)
    await link(project, source)
    await link(await build(), source)
    const answers = await Promise.all([unlink(project), unlink(project)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 304])
    expect((await show(source)).forks_count).toBe(1)
  })

  it('closes merge requests to other projects, and keeps those within the project', async () => {
    const { project: source, tree } = await pushedProject(server, { visibility: 'public' })
    const { token } = server.root
    const body = { name: 'fork', path: 'fork' }
    const { body: fork } = await server.inject('POST', `/projects/${source.id}/fork`, {
      token,
      body,
    })
    await mustGit(tree, 'checkout', '-q', '-b', 'topic')
    await commit(tree, { 'topic.txt': 'x\n' }, 'Topic')
    const remote = `${await server.url()}/${fork.path_with_namespace}.git`
    await mustGit(tree, 'push', remote.replace('://', `://root:${token}@`), 'topic')
    await server.runJobs()
    const out = await server.buildMergeRequest(fork, 'topic', 'main', {
      targetProjectId: source.id,
    })
    const within = await server.buildMergeRequest(fork, 'topic', 'main')
    expect((await unlink(fork)).status).toBe(204)
    await server.runJobs()
    const state = async (project: Json, iid: number) => {
      const path = `/projects/${project.id}/merge_requests/${iid}`
      return (await server.inject('GET', path, { token })).body.state
    }
    expect(await state(source, out.iid)).toBe('closed')
    const reopen = { token, body: { state_event: 'reopen' } }
    await server.inject('PUT', `/projects/${source.id}/merge_requests/${out.iid}`, reopen)
    expect(await state(source, out.iid)).toBe('closed')
    expect(await state(fork, within.iid)).toBe('opened')
  })
})
