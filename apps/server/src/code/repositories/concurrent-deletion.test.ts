import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** Runs something once, before the next git process starts. */
function beforeNextGit(work: () => Promise<unknown>): void {
  const { spawner } = server.app.git.parts
  const start = spawner.start.bind(spawner)
  const spy = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
    spy.mockRestore()
    await work()
    return start(options)
  })
}

describe('a project that is deleted while a call reads its repository', () => {
  it.each([
    ['PUT', 'merge_requests/1/merge'],
    ['GET', 'merge_requests/1/changes'],
    ['GET', 'merge_requests/1/merge_ref'],
    ['GET', 'repository/compare?from=main&to=topic'],
    ['GET', 'repository/archive'],
  ])('%s /projects/:id/%s answers 404', async (method, rest) => {
    const fixture = await buildRepositoryFixture(server)
    await fixture.commitTo('topic', { 'a.txt': 'a\n' }, 'Topic')
    await fixture.push('main', 'topic')
    await server.buildMergeRequest(fixture.project, 'topic', 'main')
    const project = `/projects/${fixture.project.id}`
    const { token } = server.root
    beforeNextGit(async () => {
      expect((await server.inject('DELETE', project, { token })).status).toBe(202)
      await server.runJobs()
    })
    const answer = await server.inject(method, `${project}/${rest}`, { token })
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Project Not Found' }])
  })
})
