// GET /user_counts: `merge_requests`, the open ones that are assigned to the caller.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('GET /user_counts', () => {
  it('returns how many open merge requests are assigned to the caller', async () => {
    const ada = await server.buildUser()
    const { project, push, commitTo } = await buildRepositoryFixture(server)
    for (const branch of ['one', 'two', 'three']) {
      await commitTo(branch, { [`${branch}.txt`]: 'x\n' }, branch)
    }
    await push('main', 'one', 'two', 'three')
    await server.addMember(`projects/${project.id}`, ada.id, 30)
    const counts = async () => (await callAs(server, 'GET', '/user_counts', ada.token)).body
    expect(await counts()).toEqual({ merge_requests: 0 })
    const mine = { assigneeIds: [ada.id] }
    const first = await server.buildMergeRequest(project, 'one', 'main', mine)
    await server.buildMergeRequest(project, 'two', 'main', mine)
    await server.buildMergeRequest(project, 'three', 'main', { authorId: ada.id })
    expect(await counts()).toEqual({ merge_requests: 2 })
    const path = `/projects/${project.id}`
    await callAs(server, 'PUT', `${path}/merge_requests/${first.iid}`, server.root.token, {
      state_event: 'close',
    })
    expect(await counts()).toEqual({ merge_requests: 1 })
    await callAs(server, 'POST', `${path}/archive`, server.root.token)
    expect(await counts()).toEqual({ merge_requests: 0 })
    await callAs(server, 'POST', `${path}/unarchive`, server.root.token)
    await callAs(server, 'DELETE', `${path}/members/${ada.id}`, server.root.token)
    expect(await counts()).toEqual({ merge_requests: 0 })
  })

  it('returns 401 without a token', async () => {
    expect((await callAs(server, 'GET', '/user_counts')).status).toBe(401)
  })
})
