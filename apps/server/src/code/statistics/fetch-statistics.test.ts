import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  commit,
  git,
  mustGit,
  newFolder,
  pushedProject,
  remoteUrl,
} from '../../testing/git/git-client.ts'
import { dayAfter, dayMs } from '../../testing/members.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { countFetch } from './fetch-count.ts'

/*
 * Statements covered:
 * - GET /projects/:id/statistics: {fetches: {total, days: [{count, date}]}} of 30 days
 * - clones and pulls over HTTP are counted, in each protocol; nothing else is
 * - for level 40; 403 below, 404 for who cannot see the project
 */

let server: TestServer
let base: string
beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
})
afterAll(() => server.close())

const remote = (project: Json) =>
  remoteUrl(base, project.path_with_namespace, server.root.username, server.root.token)

async function statistics(project: Json): Promise<Json> {
  const path = `/projects/${project.id}/statistics`
  const { status, body } = await callAs(server, 'GET', path, server.root.token)
  expect(status).toBe(200)
  return body.fetches
}

describe('GET /projects/:id/statistics', () => {
  it.each(['0', '1', '2'])(
    'counts a clone and a pull by protocol %s once each',
    async (version) => {
      const { project, tree } = await pushedProject(server, {})
      expect(await statistics(project)).toEqual({ total: 0, days: [] })
      const protocol = ['-c', `protocol.version=${version}`]
      const folder = await newFolder()
      await mustGit(folder, ...protocol, 'clone', '--quiet', remote(project), 'copy')
      expect(await statistics(project)).toEqual({
        total: 1,
        days: [{ count: 1, date: dayAfter(server, 0) }],
      })
      await commit(tree, { 'b.txt': 'b\n' }, 'Add b')
      await mustGit(tree, ...protocol, 'push', remote(project), 'main')
      await mustGit(join(folder, 'copy'), ...protocol, 'pull', '--quiet')
      expect((await statistics(project)).total).toBe(2)
      await mustGit(join(folder, 'copy'), ...protocol, 'pull', '--quiet')
      await mustGit(folder, ...protocol, 'ls-remote', remote(project))
      await callAs(server, 'GET', `/projects/${project.id}/repository/archive`, server.root.token)
      expect((await statistics(project)).total).toBe(2)
    },
  )

  it('does not count what is refused', async () => {
    const { project } = await pushedProject(server, {})
    const url = remoteUrl(base, project.path_with_namespace, 'root', 'wrong')
    expect((await git(await newFolder(), 'clone', url, 'copy')).code).not.toBe(0)
    expect(await statistics(project)).toEqual({ total: 0, days: [] })
  })

  it('counts fetches at the same time together', async () => {
    const project = await server.buildProject()
    const before = server.app.db.stats.queries
    for (let index = 0; index < 50; index += 1) countFetch(server.app, project.id)
    await statistics(project)
    expect(server.app.db.stats.queries - before).toBeLessThan(10)
    expect((await statistics(project)).total).toBe(50)
  })

  it('lists 30 days, newest first, and keeps no older ones', async () => {
    const own = await buildTestServer()
    try {
      const project = await own.buildProject()
      const path = `/projects/${project.id}/statistics`
      const read = async () => (await callAs(own, 'GET', path, own.root.token)).body.fetches
      const first = dayAfter(own, 0)
      countFetch(own.app, project.id)
      await read()
      own.advance(29 * dayMs)
      countFetch(own.app, project.id)
      countFetch(own.app, project.id)
      const last = dayAfter(own, 0)
      expect(await read()).toEqual({
        total: 3,
        days: [
          { count: 2, date: last },
          { count: 1, date: first },
        ],
      })
      own.advance(dayMs)
      expect(await read()).toEqual({ total: 2, days: [{ count: 2, date: last }] })
      countFetch(own.app, project.id)
      await read()
      const rows = await own.app.db.all('test.fetches', {}, (db) =>
        db.selectFrom('projectFetches').select('day').orderBy('day'),
      )
      expect(rows.map(({ day }) => day)).toEqual([last, dayAfter(own, 0)])
    } finally {
      await own.close()
    }
  })

  it('logs a failure, and counts again afterwards', async () => {
    const project = await server.buildProject()
    countFetch(server.app, 404_404)
    countFetch(server.app, project.id)
    expect((await statistics(project)).total).toBe(1)
    countFetch(server.app, 404_404)
  })

  it('answers 403 below level 40, and 404 for a hidden project', async () => {
    const project = await server.buildProject()
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const stranger = await server.buildUser()
    const path = `/projects/${project.id}/statistics`
    expect((await callAs(server, 'GET', path, developer.token)).status).toBe(403)
    expect((await callAs(server, 'GET', path, stranger.token)).status).toBe(404)
  })
})
