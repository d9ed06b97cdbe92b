import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'
import { repositoryOfId } from '../create/project-repository.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const remove = (id: number, token?: string, headers = {}) =>
  server.inject('DELETE', `/projects/${id}`, { ...(token === undefined ? {} : { token }), headers })

describe('DELETE /projects/:id', () => {
  it('hides the project immediately, frees its path, and removes it in the background', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({ initialize_with_readme: true }, owner)
    const other = await server.buildProject({ initialize_with_readme: true }, owner)
    const { status, body } = await remove(project.id, owner.token)
    expect([status, body]).toEqual([202, { message: '202 Accepted' }])
    const read = (id: number) => server.inject('GET', `/projects/${id}`, { token: owner.token })
    expect((await read(project.id)).status).toBe(404)
    expect((await remove(project.id, owner.token)).status).toBe(404)
    const again = await server.buildProject({ name: project.name }, owner)
    expect(again.id).not.toBe(project.id)
    await server.runJobs()
    expect(existsSync(repositoryOfId(server.app, project.id, 'default').path)).toBe(false)
    for (const kept of [other, again]) {
      expect((await read(kept.id)).status).toBe(200)
      expect(existsSync(repositoryOfId(server.app, kept.id, 'default').path)).toBe(true)
    }
    const left = await server.app.db.all('test.left', { id: project.id }, (db, $) =>
      db
        .selectFrom('members')
        .select('id')
        .where('sourceKind', '=', 'project')
        .where('sourceId', '=', $('id'))
        .unionAll(db.selectFrom('events').select('id').where('projectId', '=', $('id')))
        .unionAll(db.selectFrom('projects').select('id').where('id', '=', $('id'))),
    )
    expect(left).toEqual([])
  })

  it('is allowed for owners and administrators only', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({ visibility: 'public' }, owner)
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    expect((await remove(project.id)).status).toBe(401)
    expect((await remove(project.id, maintainer.token)).status).toBe(403)
    expect((await remove(project.id, server.root.token)).status).toBe(202)
  })

  it('returns 412 when the project changed since', async () => {
    const project = await server.buildProject()
    const { token } = server.root
    const since = (at: number) => ({ 'if-unmodified-since': new Date(at).toUTCString() })
    const stale = await remove(project.id, token, since(server.app.now() - 60_000))
    expect([stale.status, stale.body]).toEqual([412, { message: '412 Precondition Failed' }])
    expect((await remove(project.id, token, since(server.app.now() + 60_000))).status).toBe(202)
  })

  it('keeps its forks without a source, and decrements the fork count of its source', async () => {
    const source = await server.buildProject()
    const middle = await server.buildProject()
    const fork = await server.buildProject()
    await server.app.db.run('test.fork', { middle: middle.id, source: source.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('source') })
        .where('id', '=', $('middle')),
    )
    await server.app.db.run('test.fork2', { middle: middle.id, fork: fork.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('middle') })
        .where('id', '=', $('fork')),
    )
    await server.app.db.run('test.forks', { source: source.id }, (db, $) =>
      db.updateTable('projects').set({ forksCount: 1 }).where('id', '=', $('source')),
    )
    await remove(middle.id, server.root.token)
    await server.runJobs()
    const read = (id: number) =>
      server.inject('GET', `/projects/${id}`, { token: server.root.token })
    expect((await read(source.id)).body.forks_count).toBe(0)
    const left = await read(fork.id)
    expect(left.status).toBe(200)
    expect(left.body).not.toHaveProperty('forked_from_project')
  })
})
